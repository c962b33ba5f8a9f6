---@brief
---
--- acode-ls keeps track of the lines an AI agent has seen and guards its edits.
---
--- `vim.lsp.enable('acode_ls')` starts it for every file below a folder with
--- `.acode` or `.git`; the server keeps its ledger in `.acode` in that folder.
--- |acode| says what the plugin makes of it.

local client = require('acode.client')

---@type vim.lsp.Config
return {
  cmd = client.start,
  -- No `filetypes`: an agent edits files of any kind.
  root_dir = client.root_dir,
  capabilities = {
    workspace = { workspaceEdit = { documentChanges = true, failureHandling = 'transactional' } },
  },
  handlers = client.handlers,
  on_exit = client.on_exit,
  -- The plugin shows unread and changed lines itself.
  settings = { acode = { diagnostics = false } },
}
