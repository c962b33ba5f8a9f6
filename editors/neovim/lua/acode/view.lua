-- What the agent has and has not seen, shown in buffers.
--
-- The server says it once per change (acode/view), and the ranges follow the
-- edits of the buffer until it says more. Extmarks are set only for what a
-- window shows, so the length of a file does not count.

local client = require('acode.client')
local config = require('acode.config')

local M = {}

local api = vim.api

---@class (exact) acode.Buffer
---@field uri string
---@field view? acode.View of a file that an agent has touched
---@field ranges acode.Range[] ascending and disjoint
---@field asking boolean an answer is to come
---@field outdated boolean and not to be used, or nothing was asked yet
---@field config acode.Config

---@type table<integer, acode.Buffer>
local buffers = {}
---@type table<string, integer>
local by_uri = {}

local shown = true

local ns = api.nvim_create_namespace('acode.view')

--- Rows beyond the window that get their extmarks with it.
local margin = 50

--- Above treesitter and semantic tokens, as what is dimmed is not the subject.
local dim_priority = 150
--- Below diagnostics.
local sign_priority = 5

--- Of more ranges than these, edits are not followed: the server is quicker.
local max_followed = 2000

--- Cells of virtual text.
local max_text = 90

---@class (exact) acode.Look
---@field sign_hl_group string
---@field hl_group? string

---@type table<string, acode.Look>
local looks = {
  unread = { sign_hl_group = 'AcodeUnreadSign', hl_group = 'AcodeUnread' },
  changed = { sign_hl_group = 'AcodeStale' },
  read = { sign_hl_group = 'AcodeRead' },
}

---@param range acode.Range
---@param unread acode.Unread
---@return [string, string][]?
local function virtual_text(range, unread)
  if not unread.virtual_text or range.kind ~= 'unread' then
    return nil
  end
  local lines = range.last - range.first + 1
  local text = lines == 1 and '1 line' or ('%d lines'):format(lines)
  text = ('  not read by the agent: %s%s%s'):format(text, range.declares ~= '' and ' · ' or '', range.declares)
  if vim.fn.strdisplaywidth(text) > max_text then
    text = vim.fn.strcharpart(text, 0, max_text - 1) .. '…'
  end
  return { { text, 'AcodeVirtualText' } }
end

---@param bufnr integer
---@param buffer acode.Buffer
---@param range acode.Range
---@param first integer row
---@param last integer row
local function mark(bufnr, buffer, range, first, last)
  if range.marks then
    if range.marked_first <= first and last <= range.marked_last then
      return
    end
    first, last = math.min(first, range.marked_first), math.max(last, range.marked_last)
  end
  local how = buffer.config[range.kind]
  if not how then
    return
  end
  local look = looks[range.kind]
  local end_col = #(api.nvim_buf_get_lines(bufnr, last, last + 1, false)[1] or '')
  local marks = range.marks or {}
  marks.sign = api.nvim_buf_set_extmark(bufnr, ns, first, 0, {
    id = marks.sign,
    end_row = last,
    end_col = end_col,
    strict = false,
    sign_text = how.sign ~= '' and how.sign or nil,
    sign_hl_group = look.sign_hl_group,
    number_hl_group = look.sign_hl_group,
    priority = sign_priority,
    virt_text = first == range.first and range.kind == 'unread' and virtual_text(range, how) or nil,
    hl_mode = 'combine',
  })
  if look.hl_group and how.dim then
    marks.dim = api.nvim_buf_set_extmark(bufnr, ns, first, 0, {
      id = marks.dim,
      end_row = last,
      end_col = end_col,
      strict = false,
      hl_group = look.hl_group,
      priority = dim_priority,
    })
  end
  range.marks, range.marked_first, range.marked_last = marks, first, last
end

--- Takes the extmarks of a range away; what windows show of it gets new ones.
---@param bufnr integer
---@param range acode.Range
local function unmark(bufnr, range)
  for _, id in pairs(range.marks or {}) do
    api.nvim_buf_del_extmark(bufnr, ns, id)
  end
  range.marks = nil
end

--- The index of the first range that ends at row or below.
---@param ranges acode.Range[]
---@param row integer
---@return integer
local function first_at(ranges, row)
  local low, high = 1, #ranges + 1
  while low < high do
    local middle = math.floor((low + high) / 2)
    if ranges[middle].last < row then
      low = middle + 1
    else
      high = middle
    end
  end
  return low
end

---@param bufnr integer
---@param buffer acode.Buffer
---@param top integer row
---@param bottom integer row
local function draw(bufnr, buffer, top, bottom)
  local ranges = buffer.ranges
  for i = first_at(ranges, top), #ranges do
    local range = ranges[i]
    if range.first > bottom then
      break
    end
    mark(bufnr, buffer, range, math.max(range.first, top - margin), math.min(range.last, bottom + margin))
  end
end

local provided = false

local function provide()
  if provided then
    return
  end
  provided = true
  api.nvim_set_decoration_provider(ns, {
    on_win = function(_, _, bufnr, top, bottom)
      local buffer = shown and buffers[bufnr]
      if buffer and #buffer.ranges > 0 then
        draw(bufnr, buffer, top, math.min(bottom, api.nvim_buf_line_count(bufnr) - 1))
      end
      return false
    end,
  })
end

--- Draws anew what windows show of a buffer.
---@param bufnr integer
---@param buffer acode.Buffer
local function redraw(bufnr, buffer)
  api.nvim_buf_clear_namespace(bufnr, ns, 0, -1)
  for _, range in ipairs(buffer.ranges) do
    range.marks = nil
  end
  if not shown then
    return
  end
  for _, win in ipairs(vim.fn.win_findbuf(bufnr)) do
    local info = vim.fn.getwininfo(win)[1]
    draw(bufnr, buffer, info.topline - 1, info.botline - 1)
  end
end

---@param view acode.View?
---@param how acode.Config
---@return acode.Range[]
local function ranges_of(view, how)
  local ranges = {} ---@type acode.Range[]
  ---@param kind 'unread'|'changed'|'read'
  ---@param from acode.LineRange[]
  local function add(kind, from)
    for _, r in ipairs(how[kind] and from or {}) do
      ranges[#ranges + 1] = { kind = kind, first = r.startLine - 1, last = r.endLine - 1, declares = r.declares or '' }
    end
  end
  if not view then
    return ranges
  end
  add('unread', view.unread)
  add('changed', view.changedRanges)
  if how.read then
    -- Lines that changed are among those read.
    local changed = {} ---@type table<integer, boolean>
    for _, r in ipairs(view.changedRanges) do
      for line = r.startLine, r.endLine do
        changed[line] = true
      end
    end
    local rest = {} ---@type acode.LineRange[]
    for _, r in ipairs(view.readRanges) do
      for line = r.startLine, r.endLine do
        local run = rest[#rest]
        if not changed[line] and run and run.endLine == line - 1 then
          run.endLine = line
        elseif not changed[line] then
          rest[#rest + 1] = { startLine = line, endLine = line }
        end
      end
    end
    add('read', rest)
  end
  if #ranges > #view.unread then
    table.sort(ranges, function(a, b)
      return a.first < b.first
    end)
  end
  return ranges
end

---@param a acode.Range[]
---@param b acode.Range[]
---@return boolean
local function same(a, b)
  if #a ~= #b then
    return false
  end
  for i, r in ipairs(a) do
    local s = b[i]
    if r.kind ~= s.kind or r.first ~= s.first or r.last ~= s.last or r.declares ~= s.declares then
      return false
    end
  end
  return true
end

---@param bufnr integer
---@param buffer acode.Buffer
---@param view acode.View?
local function set(bufnr, buffer, view)
  local acode = require('acode')
  local status = acode.status(bufnr)
  buffer.view, buffer.config = view, config.get()
  local ranges = ranges_of(view, buffer.config)
  if not same(ranges, buffer.ranges) then
    buffer.ranges = ranges
    redraw(bufnr, buffer)
  end
  api.nvim_exec_autocmds('User', { pattern = 'AcodeChanged', modeline = false, data = { buf = bufnr } })
  if acode.status(bufnr) ~= status then
    vim.cmd.redrawstatus({ bang = true })
  end
end

---@param bufnr integer
local function ask(bufnr)
  local buffer = buffers[bufnr]
  local server = client.get(bufnr)
  if not buffer or not server then
    return
  end
  buffer.outdated = true
  if buffer.asking or #vim.fn.win_findbuf(bufnr) == 0 then
    return
  end
  buffer.asking, buffer.outdated = true, false
  local params = { textDocument = { uri = buffer.uri } }
  ---@diagnostic disable-next-line: param-type-mismatch
  local sent = server:request('acode/view', params, function(err, view)
    buffer.asking = false
    if buffers[bufnr] ~= buffer then
      return
    end
    -- While an edit of the agent is on its way there is no answer, and none is
    -- of use once the text is another. News follow both.
    local is_current = not err and (view == nil or view == vim.NIL or view.version == vim.lsp.util.buf_versions[bufnr])
    if is_current then
      set(bufnr, buffer, view ~= vim.NIL and view or nil)
    end
    if buffer.outdated then
      ask(bufnr)
    end
    buffer.outdated = buffer.outdated or not is_current
  end, bufnr)
  buffer.asking = sent
end

--- Moves ranges along with an edit that puts rows [first, new_last) in place
--- of [first, last). Lines that are put in belong to no range.
---@param bufnr integer
---@param ranges acode.Range[]
---@param first integer
---@param last integer
---@param new_last integer
---@return acode.Range[]
local function follow(bufnr, ranges, first, last, new_last)
  local delta = new_last - last
  if delta == 0 then
    -- Extmarks in lines that are replaced as a whole go to the first of them.
    for i = first_at(ranges, first), #ranges do
      if ranges[i].first >= last then
        break
      end
      unmark(bufnr, ranges[i])
    end
    return ranges
  end
  local out = {} ---@type acode.Range[]
  ---@param r acode.Range
  ---@param from integer
  ---@param to integer
  local function keep(r, from, to)
    if from <= to then
      out[#out + 1] = { kind = r.kind, first = from, last = to, declares = r.declares }
    end
  end
  for _, r in ipairs(ranges) do
    if r.last < first then
      out[#out + 1] = r
    elseif r.first >= last then
      r.first, r.last = r.first + delta, r.last + delta
      if r.marks then
        r.marked_first, r.marked_last = r.marked_first + delta, r.marked_last + delta
      end
      out[#out + 1] = r
    else
      unmark(bufnr, r)
      if r.first < first and r.last >= last and first == new_last then
        keep(r, r.first, r.last + delta)
      else
        keep(r, r.first, first - 1)
        keep(r, new_last, r.last + delta)
      end
    end
  end
  return out
end

--- Begins to show a buffer that the client is attached to.
---@param bufnr integer
function M.attach(bufnr)
  provide()
  if buffers[bufnr] then
    ask(bufnr)
    return
  end
  local buffer = ---@type acode.Buffer
    { uri = vim.uri_from_bufnr(bufnr), ranges = {}, asking = false, outdated = true, config = config.get() }
  buffers[bufnr], by_uri[buffer.uri] = buffer, bufnr
  api.nvim_buf_attach(bufnr, false, {
    on_lines = function(_, _, _, first, last, new_last)
      if buffers[bufnr] ~= buffer then
        return true
      end
      if #buffer.ranges > max_followed and last ~= new_last then
        buffer.ranges = {}
      end
      buffer.ranges = follow(bufnr, buffer.ranges, first, last, new_last)
    end,
    on_reload = function()
      if buffers[bufnr] == buffer then
        ask(bufnr)
      end
    end,
    on_detach = function()
      if buffers[bufnr] == buffer then
        M.detach(bufnr)
      end
    end,
  })
  ask(bufnr)
end

--- Shows nothing more of a buffer.
---@param bufnr integer
function M.detach(bufnr)
  local buffer = buffers[bufnr]
  if not buffer then
    return
  end
  buffers[bufnr], by_uri[buffer.uri] = nil, nil
  if api.nvim_buf_is_valid(bufnr) then
    api.nvim_buf_clear_namespace(bufnr, ns, 0, -1)
  end
end

--- Asks about a document of which the server has news.
---@param uri string
function M.changed(uri)
  if by_uri[uri] then
    ask(by_uri[uri])
  end
end

--- Asks about a buffer that a window shows again.
---@param bufnr integer
function M.entered(bufnr)
  local buffer = buffers[bufnr]
  if buffer and buffer.outdated then
    ask(bufnr)
  end
end

--- Asks about a buffer that has another name than it had.
---@param bufnr integer
function M.named(bufnr)
  local buffer = buffers[bufnr]
  if buffer and buffer.uri ~= vim.uri_from_bufnr(bufnr) then
    M.detach(bufnr)
    M.attach(bufnr)
  end
end

--- Shows marks, or hides them, in all buffers.
---@param on? boolean the other if nil
---@return boolean
function M.toggle(on)
  if on == nil then
    on = not shown
  end
  shown = on
  for bufnr, buffer in pairs(buffers) do
    redraw(bufnr, buffer)
  end
  return shown
end

--- What the server last said of a buffer.
---@param bufnr integer
---@return acode.View?
function M.get(bufnr)
  local buffer = buffers[bufnr]
  return buffer and buffer.view
end

--- The unread ranges of a buffer where they are now.
---@param bufnr integer
---@return acode.Range[]
function M.unread(bufnr)
  local buffer = buffers[bufnr]
  return vim.tbl_filter(function(r)
    return r.kind == 'unread'
  end, buffer and buffer.ranges or {})
end

return M
