---@brief
---
--- acode-ls keeps track of the lines an AI agent has seen and guards its edits.
---
--- `vim.lsp.enable('acode_ls')` starts it for every file in a folder that has
--- one of the root markers above it; acode-ls has to be on the PATH. The server
--- keeps its ledger in `.acode` in that folder.

---@type vim.lsp.Config
return {
  cmd = { 'acode-ls', 'serve' },
  -- No `filetypes`: an agent edits files of any kind.
  root_markers = { '.acode', '.git' },
  -- Without a root the server would take Neovim's working directory, which may
  -- be the home folder, for the workspace.
  workspace_required = true,
  settings = { acode = vim.empty_dict() },
}
