-- Edits that the guard refused.

local config = require('acode.config')
local message = require('acode.message')

local M = {}

---@type acode.Block?
local last

---@param ranges acode.LineRange[]
---@return string
function M.lines_text(ranges)
  local out = {}
  for i, r in ipairs(ranges) do
    if i > 5 then
      out[i] = ('and %d more'):format(#ranges - 5)
      break
    end
    out[i] = r.startLine == r.endLine and tostring(r.startLine) or ('%d-%d'):format(r.startLine, r.endLine)
  end
  return table.concat(out, ', ')
end

--- Why, for a person, in few words.
---@param block acode.Block
---@return string
local function why(block)
  local is_unread = block.reason == 'never_read' or block.reason == 'no_coverage' or block.reason == 'partial_overlap'
  if not is_unread or #block.unreadRanges == 0 then
    return block.message
  end
  local first = block.unreadRanges[1]
  local one = #block.unreadRanges == 1 and first.startLine == first.endLine
  return ('%s %s unread'):format(one and 'line' or 'lines', M.lines_text(block.unreadRanges))
end

---@param params { session: string, agent: string, blocks: acode.Block[] }
function M.add(params)
  last = params.blocks[1]
  vim.api.nvim_exec_autocmds('User', { pattern = 'AcodeRefused', modeline = false, data = params })
  if not config.get().notify_refused then
    return
  end
  local agent = params.agent ~= '' and params.agent or 'the agent'
  local more = #params.blocks > 1 and (' and %d more'):format(#params.blocks - 1) or ''
  ---@param modifiers string
  ---@return string
  local function text(modifiers)
    local name = vim.fn.fnamemodify(vim.uri_to_fname(last.uri), modifiers)
    return ('refused %s to edit %s%s: %s'):format(agent, name, more, why(last))
  end
  message.news(vim.log.levels.WARN, text(':.') .. ' (:Acode refused)', text(':.'), text(':t'))
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
  if not message.try(vim.api.nvim_win_set_buf, 0, bufnr) then
    return
  end
  local range = last.unreadRanges[1]
  if range then
    vim.api.nvim_win_set_cursor(0, { math.min(range.startLine, vim.api.nvim_buf_line_count(bufnr)), 0 })
  end
end

return M
