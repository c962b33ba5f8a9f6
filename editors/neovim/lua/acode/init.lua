local M = {}

local api = vim.api

---@param fraction number
---@return integer percent 0 and 100 only of nothing and all
local function percent(fraction)
  local p = math.floor(fraction * 100 + 0.5)
  if p == 0 and fraction > 0 then
    return 1
  elseif p == 100 and fraction < 1 then
    return 99
  end
  return p
end

--- For the statusline: how much of the buffer the agent has read, '' if no
--- agent has touched it.
---@param bufnr? integer 0 or nil for the current one
---@return string
function M.status(bufnr)
  if not bufnr or bufnr == 0 then
    bufnr = api.nvim_get_current_buf()
  end
  local view = require('acode.view').get(bufnr)
  if not view then
    return ''
  end
  local text = ('agent %d%%'):format(percent(view.coverage))
  return view.stale and text .. ' changed' or text
end

--- Shows marks, or hides them, in all buffers.
---@param on? boolean the other if nil
function M.toggle(on)
  require('acode.view').toggle(on)
end

--- Goes to the start of the next unread range of the buffer, or of the one
--- before.
---@param direction 1|-1
---@param count? integer
function M.jump(direction, count)
  local rows = vim.tbl_map(function(range)
    return range.first
  end, require('acode.view').unread(api.nvim_get_current_buf()))
  if #rows == 0 then
    require('acode.message').info('there is nothing unread in this buffer')
    return
  end
  local row = api.nvim_win_get_cursor(0)[1] - 1
  local at ---@type integer
  if direction == 1 then
    at = #rows + 1
    for i = #rows, 1, -1 do
      if rows[i] > row then
        at = i
      end
    end
    at = at + (count or 1) - 1
  else
    at = 0
    for i, first in ipairs(rows) do
      if first < row then
        at = i
      end
    end
    at = at - (count or 1) + 1
  end
  if (at < 1 or at > #rows) and not vim.o.wrapscan then
    require('acode.message').info('there is nothing unread ' .. (direction == 1 and 'below' or 'above'))
    return
  end
  vim.cmd.normal({ "m'", bang = true })
  api.nvim_win_set_cursor(0, { rows[(at - 1) % #rows + 1] + 1, 0 })
  if api.nvim_get_mode().mode == 'n' and vim.list_contains(vim.opt.foldopen:get(), 'search') then
    vim.cmd.normal({ 'zv', bang = true })
  end
end

return M
