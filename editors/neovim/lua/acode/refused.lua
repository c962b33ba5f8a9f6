-- Edits that the guard refused.

local config = require('acode.config')
local message = require('acode.message')

local M = {}

---@type acode.Block?
local last

---@param params { session: string, agent: string, blocks: acode.Block[] }
function M.add(params)
  last = params.blocks[1]
  vim.api.nvim_exec_autocmds('User', { pattern = 'AcodeRefused', modeline = false, data = params })
  if not config.get().notify_refused then
    return
  end
  local agent = params.agent ~= '' and params.agent or 'the agent'
  local names = vim.tbl_map(function(block)
    return vim.fn.fnamemodify(vim.uri_to_fname(block.uri), ':.')
  end, params.blocks)
  message.warn(
    ('an edit of %s by %s was refused. %s :Acode refused goes there.'):format(
      table.concat(names, ', '),
      agent,
      last.message
    )
  )
end

--- Goes to the lines that the last refused edit was about.
function M.go()
  if not last then
    message.info('no edit was refused since Neovim started')
    return
  end
  local bufnr = vim.uri_to_bufnr(last.uri)
  vim.fn.bufload(bufnr)
  vim.bo[bufnr].buflisted = true
  vim.cmd.normal({ "m'", bang = true })
  vim.api.nvim_win_set_buf(0, bufnr)
  local range = last.unreadRanges[1]
  if range then
    vim.api.nvim_win_set_cursor(0, { math.min(range.startLine, vim.api.nvim_buf_line_count(bufnr)), 0 })
  end
end

return M
