//! Programs that talk to other machines: HTTP clients, `ssh`, raw connections.

use crate::findings::Weight;
use crate::options::Options;
use crate::value::{Arg, Data, HOLE, Taint};
use crate::verbs::is_loss_verb;
use crate::walk::Walk;

const CURL_VALUED: &[&str] = &[
    "-X",
    "--request",
    "-d",
    "--data",
    "--data-raw",
    "--data-binary",
    "--data-urlencode",
    "--data-ascii",
    "--json",
    "-F",
    "--form",
    "--form-string",
    "-T",
    "--upload-file",
    "-o",
    "--output",
    "-H",
    "--header",
    "-u",
    "--user",
    "-A",
    "--user-agent",
    "-e",
    "--referer",
    "-b",
    "--cookie",
    "-c",
    "--cookie-jar",
    "-K",
    "--config",
    "-m",
    "--max-time",
    "--connect-timeout",
    "-x",
    "--proxy",
    "-D",
    "--dump-header",
    "-w",
    "--write-out",
    "--url",
    "-E",
    "--cert",
    "--key",
    "--cacert",
    "--retry",
    "-r",
    "--range",
    "-Y",
    "-y",
    "-z",
    "-C",
    "--output-dir",
    "--resolve",
    "--limit-rate",
    "--trace",
    "--trace-ascii",
    "--stderr",
    "--unix-socket",
    "-P",
    "-Q",
    "--quote",
    "--netrc-file",
    "--variable",
    "--url-query",
    "--expand-url",
    "--expand-data",
    "--expand-header",
    "--interface",
    "--dns-servers",
    "--oauth2-bearer",
    "--proto",
    "--max-filesize",
];
const WGET_VALUED: &[&str] = &[
    "-O",
    "--output-document",
    "--post-data",
    "--post-file",
    "--body-data",
    "--body-file",
    "--method",
    "-P",
    "--directory-prefix",
    "-o",
    "--output-file",
    "-a",
    "--append-output",
    "-U",
    "--user-agent",
    "--header",
    "-t",
    "--tries",
    "-T",
    "--timeout",
    "-i",
    "--input-file",
    "-e",
    "--execute",
    "--user",
    "--password",
    "--limit-rate",
    "-w",
    "-Q",
    "-A",
    "-R",
    "-D",
    "-I",
    "-X",
    "-l",
    "--use-askpass",
];

impl Walk<'_> {
    /// `curl`, `wget`, `http` and the like.
    pub(crate) fn http(&mut self, name: &str, argv: &[Arg], stdin: &Data, about: &str) -> Data {
        let valued = if name == "wget" { WGET_VALUED } else { CURL_VALUED };
        let options = Options::of(
            &argv[1..],
            if name.starts_with("http") || name == "xh" {
                &["-o", "--output", "-a", "--auth"]
            } else {
                valued
            },
        );
        self.found.verdict.network = true;
        let taint = argv.iter().fold(Taint::default(), |taint, arg| taint.and(arg.taint));
        let mut urls: Vec<String> = options.words.iter().map(|word| word.text.clone()).collect();
        urls.extend(options.values(&["--url"]).map(|url| url.text.clone()));
        for url in &urls {
            if url.starts_with("file:") {
                self.reads_secret(&Arg::new(url.trim_start_matches("file://")));
            }
        }
        let secret = self.request_body(name, &options, stdin, about)
            || self.request_reads_secret(name, &options)
            || taint.secret;
        let is_far = !urls.is_empty() && !urls.iter().all(|url| is_loopback(url));
        if secret {
            self.sends(true, about);
        } else if is_far && argv.iter().any(|arg| crate::other_doors::holds_live_key(&arg.text)) {
            self.found.add(
                Weight::Ask,
                "sends_key",
                "sends a key that stands in the command to another machine",
                about,
            );
        } else if taint.variable && !self.keys_belong_to(&urls) {
            self.sends_key(about);
        }
        self.request_method(name, &options, &urls, about);
        for config in options
            .values(&["-K", "--config", "-e", "--execute", "--use-askpass"])
            .cloned()
            .collect::<Vec<_>>()
        {
            if name != "curl" || !options.has(&["-e"]) || options.has(&["-K", "--config"]) {
                self.found.unknown(
                    Weight::Ask,
                    "request_unknown",
                    "takes its instructions from a file",
                    &config.text,
                );
            }
        }
        self.download(name, &options, &urls)
    }

    /// Whether every key that the command uses is named like the machine it goes to: `$OPENAI_API_KEY` and api.openai.com.
    fn keys_belong_to(&self, urls: &[String]) -> bool {
        let hosts: Vec<String> = urls
            .iter()
            .filter(|url| url.contains('.') || url.contains("localhost"))
            .map(|url| {
                let host = url.split("://").last().unwrap_or(url);
                host.split(['/', '?']).next().unwrap_or_default().to_lowercase()
            })
            .collect();
        let belongs = |host: &String| {
            is_loopback(host)
                || !self.secret_names.is_empty()
                    && self.secret_names.iter().all(|name| {
                        let owner = name.split('_').next().unwrap_or_default().to_lowercase();
                        let owner = if owner == "gh" { "github" } else { owner.as_str() };
                        // The name of the machine's owner: the last parts of its name.
                        let parts: Vec<&str> =
                            host.split(':').next().unwrap_or_default().rsplit('.').collect();
                        owner.len() > 2 && parts.get(1).is_some_and(|domain| domain.contains(owner))
                    })
        };
        !hosts.is_empty() && hosts.iter().all(belongs) && !urls.iter().any(|url| url.contains(HOLE))
    }

    /// A key from a variable goes to another machine.
    pub(crate) fn sends_key(&mut self, about: &str) {
        self.found.verdict.network = true;
        self.found.add(Weight::Ask, "sends_key", "hands a key from a variable to another machine", about);
    }

    /// What is sent along; returns whether a secret is.
    fn request_body(&mut self, name: &str, options: &Options, stdin: &Data, about: &str) -> bool {
        let mut secret = false;
        let mut sends_file = false;
        let bodies: Vec<Arg> = if name.starts_with("http") || name == "xh" {
            options
                .words
                .iter()
                .filter(|word| word.text.contains('@') && !word.text.contains("://"))
                .cloned()
                .collect()
        } else {
            let names = [
                "-d",
                "--data",
                "--data-binary",
                "--data-urlencode",
                "--data-ascii",
                "--json",
                "-F",
                "--form",
                "--post-file",
                "--body-file",
                "-T",
                "--upload-file",
            ];
            options.values(&names).cloned().collect()
        };
        let whole_files: Vec<Arg> =
            options.values(&["-T", "--upload-file", "--post-file", "--body-file"]).cloned().collect();
        let forms: Vec<Arg> = options.values(&["-F", "--form", "--data-urlencode"]).cloned().collect();
        let forms = if name == "curl" { forms } else { bodies.clone() };
        for body in &bodies {
            let parts = if whole_files.contains(body) {
                Some(body.text.trim_start_matches('@').to_owned())
            } else {
                attached(&body.text, &forms, body)
            };
            let Some(files) = parts else { continue };
            sends_file = true;
            for file in files.split([',', ';']) {
                if file == "-" {
                    secret |= stdin.taint.secret;
                } else {
                    let path = body.with_text(file);
                    secret |= self.read_file(&path).taint.secret;
                }
            }
        }
        // `-H @FILE`: each line of the file is a header.
        let headers: Vec<Arg> = options.values(&["-H", "--header"]).cloned().collect();
        for header in headers.iter().filter(|_| name == "curl") {
            if let Some(file) = header.text.strip_prefix('@')
                && self.read_file(&header.with_text(file)).taint.secret
            {
                (secret, sends_file) = (true, true);
            }
        }
        let piped = (name.starts_with("http") || name == "xh") && stdin.present;
        if sends_file || piped {
            secret |= piped && stdin.taint.secret;
            let local = options.words.iter().any(|url| is_own_server(&url.text));
            if secret || !local {
                self.sends(secret, about);
            }
        }
        secret
    }

    fn request_method(&mut self, name: &str, options: &Options, urls: &[String], about: &str) {
        let given =
            options.values(&["-X", "--request", "--method"]).next().map(|method| method.text.to_uppercase());
        let word = (name.starts_with("http") || name == "xh").then(|| options.word(0).to_uppercase());
        let method =
            given.or(word.filter(|word| word.chars().all(|c| c.is_ascii_uppercase()))).unwrap_or_default();
        let has_body = options.has(&[
            "-d",
            "--data",
            "--data-raw",
            "--data-binary",
            "--data-urlencode",
            "--json",
            "-F",
            "--form",
            "-T",
            "--upload-file",
            "--post-data",
            "--post-file",
        ]);
        let text: String = urls.join(" ")
            + &options
                .values(&["-d", "--data", "--data-raw", "--json", "--post-data"])
                .map(|body| body.text.as_str())
                .collect::<String>();
        let loss = text
            .split(|c: char| !c.is_alphanumeric() && c != '_')
            .any(|part| is_loss_verb(part) || is_loss_call(part));
        let addresses =
            || urls.iter().filter(|url| !matches!(url.as_str(), "GET" | "POST" | "PUT" | "PATCH" | "DELETE"));
        let local = addresses().any(|url| is_loopback(url));
        // Whatever is neither a question nor the ordinary `POST` is meant to change something.
        let unusual = !matches!(method.as_str(), "" | "GET" | "HEAD" | "OPTIONS" | "POST");
        let changes = unusual || (matches!(method.as_str(), "POST") || has_body) && (loss || !local);
        if changes || options.has(&["-Q", "--quote"]) {
            let at_work = addresses().all(|url| is_own_server(url)) && !options.has(&["-Q", "--quote"]);
            let ordinary = matches!(method.as_str(), "" | "POST" | "PUT" | "PATCH" | "DELETE");
            if local && at_work && ordinary {
                // What a program under work does with its own data is what it is tried out for.
                self.found.loses(false);
                self.found.add(
                    Weight::Covered,
                    "changes_local_service",
                    "changes something in a program that runs on this machine",
                    about,
                );
            } else {
                self.changes_remote(about);
            }
        }
    }

    fn download(&mut self, name: &str, options: &Options, urls: &[String]) -> Data {
        let from_net = Data::unknown(Taint { network: true, ..Taint::default() });
        let mut files: Vec<Arg> = match name {
            "wget" => options.values(&["-O", "--output-document"]).cloned().collect(),
            _ => options.values(&["-o", "--output"]).cloned().collect(),
        };
        for log in options
            .values(&["-D", "--dump-header", "-c", "--cookie-jar", "--trace", "--trace-ascii", "--stderr"])
            .cloned()
            .collect::<Vec<_>>()
        {
            if name == "curl" {
                self.writes(&log, "output file");
            }
        }
        let by_name = name == "curl" && options.has(&["-O", "--remote-name", "--remote-name-all"]);
        let by_default = matches!(name, "wget" | "aria2c") && files.is_empty();
        if by_name || by_default {
            for url in urls {
                let file =
                    url.split(['?', '#']).next().unwrap_or_default().rsplit('/').next().unwrap_or_default();
                let file = if file.is_empty() { "index.html" } else { file };
                let folder =
                    options.values(&["-P", "--directory-prefix", "--output-dir", "-d", "--dir"]).next();
                let folder = folder.filter(|_| name != "curl" || options.has(&["--output-dir"]));
                files.push(match folder {
                    Some(folder) => folder.with_text(format!("{}/{file}", folder.text.trim_end_matches('/'))),
                    None => Arg::new(file),
                });
            }
        }
        for file in files.iter().filter(|file| file.text != "-") {
            self.writes(file, "download");
            self.remember_file(file, &from_net, false);
        }
        from_net
    }

    /// `ssh`: the command runs over there; its options can run something here.
    pub(crate) fn ssh(&mut self, name: &str, argv: &[Arg], stdin: &Data, about: &str) -> Data {
        const VALUED: &[&str] = &[
            "-p", "-i", "-o", "-l", "-F", "-L", "-R", "-D", "-J", "-b", "-c", "-e", "-E", "-I", "-m", "-O",
            "-Q", "-S", "-W", "-w", "-B",
        ];
        if name == "sshpass" {
            let from = argv
                .iter()
                .skip(1)
                .position(|arg| !arg.text.starts_with('-'))
                .map_or(argv.len(), |at| at + 1);
            return self.run(&argv[from..], stdin.clone());
        }
        self.found.verdict.network = true;
        let mut at = 1;
        while at < argv.len() && argv[at].text.starts_with('-') {
            let sorted = Options::of(&argv[at..argv.len().min(at + 2)], VALUED);
            for option in sorted.values(&["-o"]).cloned().collect::<Vec<_>>() {
                self.ssh_option(&option);
            }
            if sorted.values(&["-R"]).next().is_some() {
                self.found.unknown(
                    Weight::Ask,
                    "network_shell",
                    "opens a way from another machine into this one",
                    about,
                );
            }
            let cluster = argv[at].text.trim_start_matches('-');
            let uses_next = cluster
                .find(|c: char| VALUED.contains(&format!("-{c}").as_str()))
                .is_some_and(|n| n + 1 == cluster.len());
            at += 1 + usize::from(uses_next);
        }
        // Options may stand after the machine's name, too.
        let mut first = at + 1;
        while argv.get(first).is_some_and(|arg| arg.text.starts_with('-') && arg.text.len() > 1) {
            let sorted = Options::of(&argv[first..argv.len().min(first + 2)], VALUED);
            for option in sorted.values(&["-o"]).cloned().collect::<Vec<_>>() {
                self.ssh_option(&option);
            }
            first += 1 + usize::from(VALUED.contains(&argv[first].text.as_str()));
        }
        let command = argv.get(first..).unwrap_or_default();
        if stdin.present && (stdin.taint.secret || !command.is_empty()) && stdin.text.is_none() {
            self.sends(stdin.taint.secret, about);
        }
        if command.is_empty() {
            if stdin.present {
                self.script_data(stdin, Data::default(), about);
            }
            return Data::unknown(Taint { network: true, ..stdin.taint });
        }
        let text = command.iter().map(|arg| arg.text.as_str()).collect::<Vec<_>>().join(" ");
        let taint = command.iter().fold(Taint::default(), |taint, arg| taint.and(arg.taint));
        let (cwd, remote) = (self.cwd.take(), self.remote);
        self.remote = true;
        let mut inner = stdin.clone();
        inner.present = false;
        self.script_data(&Data::text(text).tainted(taint), inner, about);
        self.remote = remote;
        self.cwd = cwd;
        Data::unknown(Taint { network: true, ..Taint::default() })
    }

    /// `-o ProxyCommand=...` and its relatives run here.
    pub(crate) fn ssh_option(&mut self, option: &Arg) {
        let (name, value) = option.text.split_once(['=', ' ']).unwrap_or((&option.text, ""));
        let lower = name.trim().to_lowercase();
        if matches!(lower.as_str(), "proxycommand" | "localcommand" | "knownhostscommand" | "match") {
            self.probe_script(value, "an ssh option");
            self.found.unknown(
                Weight::Ask,
                "runs_unknown_code",
                "an ssh option that runs a command here",
                &option.text,
            );
        }
    }

    /// `nc`, `socat`, `telnet`: anything can flow through them.
    pub(crate) fn raw_network(&mut self, name: &str, argv: &[Arg], stdin: &Data, about: &str) -> Data {
        self.found.verdict.network = true;
        let secret_argument = argv[1..].iter().any(|arg| {
            arg.taint.secret || arg.text.split([':', ',', ' ', '"']).any(crate::secret_files::is_secret)
        });
        let runs = argv[1..].iter().find_map(|arg| {
            let lower = arg.text.to_lowercase();
            ["exec:", "system:", "shell:"]
                .iter()
                .find_map(|mark| lower.find(mark).map(|at| arg.text[at + mark.len()..].to_owned()))
        });
        let options = Options::of(
            &argv[1..],
            &["-e", "-c", "--exec", "--sh-exec", "--lua-exec", "-p", "-s", "-w", "-q", "-i", "-x", "-X"],
        );
        let scripts: Vec<String> = options
            .values(&["-e", "-c", "--exec", "--sh-exec", "--lua-exec"])
            .map(|arg| arg.text.clone())
            .chain(runs)
            .collect();
        for script in scripts.iter().filter(|_| name != "telnet") {
            self.probe_script(&script.replace("\\\"", "\"").replace("\\'", "'"), "a network program");
            self.found.unknown(Weight::Ask, "network_shell", "connects a program to the network", about);
        }
        if stdin.taint.variable || argv[1..].iter().any(|arg| arg.taint.variable) {
            self.sends_key(about);
        }
        let probing = name != "socat" && options.has(&["-z"]);
        if stdin.present && !probing || secret_argument || name == "socat" {
            self.sends(stdin.taint.secret || secret_argument, about);
        }
        Data::unknown(Taint { network: true, ..stdin.taint })
    }
}

pub(crate) fn is_loopback(url: &str) -> bool {
    let host = url.split("://").last().unwrap_or(url);
    ["localhost", "127.", "[::1]", "0.0.0.0", ":"].iter().any(|name| host.starts_with(name))
}

/// The file that a body names: `@file`, and in a form `name=@file`.
fn attached(text: &str, forms: &[Arg], body: &Arg) -> Option<String> {
    if let Some(file) = text.strip_prefix('@') {
        return Some(file.to_owned());
    }
    let form = forms.contains(body);
    let at = text.find(['@', '<']).filter(|_| form)?;
    let before = &text[..at];
    // `name=@file`, `name@file`; an address in a text is none.
    (before.ends_with('=') || before.ends_with(':') || !before.contains('=') && !before.contains(' '))
        .then(|| text[at + 1..].to_owned())
}

/// Whether an address is a program on this machine that is being worked on: not a store of data under its well-known number, and
/// nothing that speaks of a whole index, a database or production.
fn is_own_server(url: &str) -> bool {
    const STORES: &[&str] = &[
        "9200", "9300", "7700", "8001", "8444", "5984", "8500", "2375", "2376", "6333", "8086", "15672",
        "2379", "8200", "9000", "8108", "7474", "8529", "8983", "9090", "3100", "8123", "6443", "10250",
        "9092", "4646",
    ];
    let rest = url.split("://").last().unwrap_or(url);
    let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
    let port = host.rsplit(':').next().unwrap_or_default();
    let path = path.to_lowercase();
    is_loopback(url)
        && !STORES.contains(&port)
        && !path.contains('*')
        && !["prod", "_all", "_cluster", "index", "database", "bucket", "volumes"]
            .iter()
            .any(|word| path.contains(word))
}

/// `doDelete`, `deleteEntity`, `_delete_by_query`.
fn is_loss_call(word: &str) -> bool {
    let lower = word.to_lowercase();
    ["delete", "destroy", "purge", "drop", "truncate", "wipe", "remove"]
        .iter()
        .any(|verb| lower.starts_with(verb) || lower.ends_with(verb) || lower.contains(&format!("_{verb}")))
}
