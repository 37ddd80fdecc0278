# Going back from inside a chat, in the language of the prompt.
chat-accepted = It is fine as it is: vib lets the agent end this turn and the next one, whatever is open. After that it looks again.
chat-not-the-code = Nothing was changed: "{ $word }" is not the code. To go back as shown, send: { $code }
chat-anything-else = Anything else leaves your files as they are.
chat-code-dropped = Nothing was changed: that code is no longer valid, because you went on working after it was shown. Send "{ $rollback }" to see the preview again.
chat-code-too-old = Nothing was changed: that code is too old. Send "{ $rollback }" to see the preview again.
chat-not-understood = Nothing was changed: vib does not understand "{ $words }" in a chat. It knows "{ $rollback }", "{ $rollback } 3" (the last three requests), "{ $rollback } s41" (a step), "{ $rollback } r12" (a request) and "{ $rollback } ID" (a checkpoint). For one file, or with choices: `vib undo FILE` in a terminal.
chat-nothing = Nothing was changed: { $why }. { $next }
chat-stays = It stays as it is now, and the next "{ $rollback }" goes on with what was done before it. For one file, or with choices: `vib undo FILE` in a terminal.
chat-lesson-not-kept = The lesson was not kept: { $why }. { $next }
chat-would-change =
    { $count ->
        [one] { $what } would change 1 file:
       *[other] { $what } would change { $count } files:
    }
chat-send-code = Nothing has been changed yet. To do it, send: { $code }
chat-saved-first = What you have now is saved first and can be brought back.
chat-changed-since = Files have changed since the preview, so nothing was done. This is how it looks now:
chat-own-entries = vib's own entries in { $files } stay as they are.
chat-protected = Protected, and changed with the rest: { $files }.
chat-outside = Outside this project { $files } changed too, and stays as it is; `vib undo { $first }` on a command line takes it back.
chat-left-alone = { $file } was left alone: { $why }
chat-done =
    { $count ->
        [one] Done: 1 file is as before ({ $what }).
       *[other] Done: { $count } files are as before ({ $what }).
    }
chat-way-back = What you had before is saved as `{ $id }`: `vib redo` in a terminal, or "{ $rollback }" here, brings it back.
chat-to-checkpoint = going back to checkpoint { $id }{ $told }
chat-last-undo = taking back the last undo
chat-since-look = taking back what changed since the last look
chat-request = taking back request { $number }{ $prompt } ({ $client })
chat-entry = taking back { $words }
chat-requests = taking back the last { $count } requests
chat-an-agent = an agent
chat-later-work = These were changed again since; that later work stays as it is: { $files }
chat-comes-back = { $file } comes back
chat-is-removed = { $file } is removed
chat-old-name = { $file } gets its old name back
chat-changed-back = { $file } is changed back
chat-more = and { $count } more
