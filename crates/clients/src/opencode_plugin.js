// Passes OpenCode's events on to vib (installed by vib; `vib init --remove` takes it away, `vib init` writes it anew).
// Needs nothing but what OpenCode brings along. Without vib OpenCode goes on; a step that vib was asked about and gave no answer to does not.
import { spawn } from "node:child_process"
import { accessSync, constants, statSync } from "node:fs"
import { homedir } from "node:os"
import { delimiter, isAbsolute, join } from "node:path"

const VIB = "VIB_PROGRAM"
const ARGUMENTS = ["VIB_ARGUMENTS"]
// Where `vib init` leaves a link to itself, below the home folder.
const RECORDED = ".local/state/vibelign/bin/vib"
const LIMIT_MS = 60_000
// Whether a tool may run, vib says within three seconds, whatever happens.
const DECISION_LIMIT_MS = 10_000
// The bus carries hundreds of events in a turn; these are all that vib wants.
const FORWARDED = new Set(["session.created", "session.idle", "session.compacted"])
const SESSIONS_REMEMBERED = 200

let warned = false
function warn(text) {
  if (warned) return
  warned = true
  console.warn(`vib: ${text}. \`vib doctor\` says more.`)
}

/** The program to call. A file that a team shares names no path of one machine: PATH first, then the recorded place. */
function program() {
  if (isAbsolute(VIB)) return VIB
  const places = (process.env.PATH ?? "").split(delimiter).filter(isAbsolute).map((folder) => join(folder, VIB))
  return [...places, join(homedir(), RECORDED)].find((file) => {
    try {
      accessSync(file, constants.X_OK)
      return statSync(file).isFile()
    } catch {
      return false
    }
  })
}

/** Asks vib. Always resolves: with its answer, with `{}`, or with `{failed}` if it was there and gave none. */
function ask(payload, limit = LIMIT_MS) {
  return new Promise((resolve) => {
    let out = ""
    let err = ""
    let settled = false
    let timer
    const settle = (answer, problem) => {
      if (settled) return
      settled = true
      clearTimeout(timer)
      if (problem) warn(problem)
      resolve(answer)
    }
    const vib = program()
    if (vib === undefined) return settle({}, "not installed here, and this project asks for it; OpenCode goes on without it")
    let child
    try {
      child = spawn(vib, ARGUMENTS, { cwd: payload.cwd, stdio: ["pipe", "pipe", "pipe"] })
    } catch (error) {
      return settle({}, `could not start ${vib} (${error.message}); OpenCode goes on without it`)
    }
    timer = setTimeout(() => {
      child.kill("SIGKILL")
      settle({ failed: "no answer in time" }, "no answer in time")
    }, limit)
    child.on("error", (error) => settle({}, `could not start ${vib} (${error.message}); OpenCode goes on without it`))
    child.stdout.setEncoding("utf8")
    child.stderr.setEncoding("utf8")
    child.stdout.on("data", (chunk) => (out += chunk))
    child.stderr.on("data", (chunk) => (err += chunk))
    child.stdin.on("error", () => {})
    child.on("close", (code) => {
      if (code !== 0) {
        const problem = `stopped with ${code}: ${err.trim().split("\n")[0]}`
        return settle({ failed: problem }, problem)
      }
      if (out.trim() === "") return settle({})
      try {
        const answer = JSON.parse(out)
        settle(answer !== null && typeof answer === "object" ? answer : {})
      } catch {
        settle({ failed: "the answer was not JSON" }, "the answer was not JSON")
      }
    })
    child.stdin.end(JSON.stringify(payload))
  })
}

/** A prompt can carry whole files; vib wants to know that they are there, not what is in them. */
function lean(part) {
  return typeof part?.url === "string" && part.url.startsWith("data:") ? { ...part, url: "data:" } : part
}

export const VibPlugin = async ({ directory, worktree }) => {
  // What vib wants the model to know: for the whole session, and for the present prompt.
  const sessions = new Map()
  const remember = (id, change) => {
    const known = sessions.get(id) ?? {}
    sessions.delete(id)
    sessions.set(id, { ...known, ...change })
    if (sessions.size > SESSIONS_REMEMBERED) sessions.delete(sessions.keys().next().value)
  }
  // Calls that are to run behind vib's fence, and what their shell needs for it.
  const fenced = new Map()
  // When the shells of calls started: OpenCode asks for their environment after the person said yes.
  const started = new Map()
  const payload = (name, session, more) => ({
    hook_event_name: name,
    session_id: session,
    cwd: directory,
    worktree,
    ...more,
  })

  return {
    event: async ({ event }) => {
      if (!FORWARDED.has(event?.type)) return
      const properties = event.properties ?? {}
      const session = properties.sessionID ?? properties.info?.id
      const asked = ask(payload("event", session, { type: event.type, properties }))
      // OpenCode does not wait for this one: the first request to the model does, below.
      if (event.type === "session.created" && session) remember(session, { start: asked })
      await asked
    },

    "chat.message": async (input, output) => {
      const session = input?.sessionID
      const parts = output?.parts ?? []
      const answer = await ask(
        payload("chat.message", session, {
          input,
          output: { message: output?.message, parts: parts.map(lean) },
        }),
      )
      remember(session, { prompt: answer.additionalContext })
      if (typeof answer.replacePrompt === "string") {
        const first = parts.findIndex((part) => part?.type === "text")
        if (first >= 0) {
          parts[first].text = answer.replacePrompt
          for (let at = parts.length - 1; at > first; at--) {
            if (parts[at]?.type === "text") parts.splice(at, 1)
          }
        }
      }
    },

    "tool.execute.before": async (input, output) => {
      const answer = await ask(
        payload("tool.execute.before", input.sessionID, {
          tool_name: input.tool,
          tool_use_id: input.callID,
          tool_input: output?.args,
          input: { tool: input.tool, sessionID: input.sessionID, callID: input.callID },
        }),
        DECISION_LIMIT_MS,
      )
      if (answer.failed !== undefined) {
        throw new Error(`vib could not look at this step (${answer.failed}), so it was not done. Tell the person: \`vib doctor\` says more.`)
      }
      // OpenCode gives this text to the model in the place of the tool's result.
      if (typeof answer.deny === "string" && answer.deny !== "") throw new Error(answer.deny)
      if (answer.environment !== null && typeof answer.environment === "object") fenced.set(input.callID, answer.environment)
    },

    // A command that vib marked: its shell reads a file of vib's first. What the person has there is handed on.
    "shell.env": async (input, output) => {
      if (input?.callID !== undefined) {
        started.set(input.callID, Date.now())
        if (started.size > SESSIONS_REMEMBERED) started.delete(started.keys().next().value)
      }
      const environment = fenced.get(input?.callID)
      if (environment === undefined || typeof output?.env !== "object") return
      fenced.delete(input.callID)
      for (const [name, value] of Object.entries(environment)) {
        const before = output.env[name] ?? process.env[name]
        if (before !== undefined && before !== value) output.env[`VIB_FENCE_${name}`] = before
        output.env[name] = value
      }
    },

    "tool.execute.after": async (input, output) => {
      const from = started.get(input.callID)
      started.delete(input.callID)
      const answer = await ask(
        payload("tool.execute.after", input.sessionID, {
          tool_name: input.tool,
          tool_use_id: input.callID,
          tool_input: input.args,
          tool_response: output,
          input_keys: Object.keys(input),
          ...(from === undefined ? {} : { duration_ms: Date.now() - from }),
        }),
      )
      if (typeof answer.additionalContext === "string" && typeof output?.output === "string") {
        output.output += `\n\n${answer.additionalContext}`
      }
    },

    "experimental.chat.system.transform": async (input, output) => {
      const id = input?.sessionID ?? [...sessions.keys()].pop()
      const known = sessions.get(id)
      if (!known || !Array.isArray(output?.system)) return
      const start = (await known.start)?.additionalContext
      for (const text of [start, known.prompt]) {
        if (typeof text === "string" && text !== "") output.system.push(text)
      }
    },
  }
}
