-- The command :Acode.

local client = require('acode.client')
local message = require('acode.message')
local refused = require('acode.refused')

local M = {}

local api = vim.api

---@class (exact) acode.Subcommand
---@field run fun(arguments: string[], opts: vim.api.keyset.create_user_command.command_args)
---@field complete? fun(): string[]
---@field arguments? integer how many it takes, 0 if not said
---@field range? true whether it takes lines

--- The client and URI of the current buffer. The person is told if the buffer
--- has none.
---@return vim.lsp.Client?, string uri
local function current()
  local bufnr = api.nvim_get_current_buf()
  return client.of(bufnr), vim.uri_from_bufnr(bufnr)
end

---@param session acode.Session
---@return string
local function session_label(session)
  local agent = session.agent ~= '' and (' (%s)'):format(session.agent) or ''
  local files = session.files == 1 and '1 file' or ('%d files'):format(session.files)
  return ('%s%s, %s%s'):format(session.id, agent, files, session.active and ', shown' or '')
end

local function status()
  local server = client.any()
  if not server then
    return
  end
  client.request(server, 'acode/sessions', vim.empty_dict(), function(result)
    local version = vim.tbl_get(server, 'server_info', 'version') or ''
    local out =
      { { ('acode-ls %s in %s\n'):format(version, vim.fn.fnamemodify(server.root_dir or '', ':~')), 'Title' } }
    if #result.sessions == 0 then
      out[#out + 1] = { 'No agent has been here.\n' }
    end
    for _, session in ipairs(result.sessions) do
      out[#out + 1] = { ('Session %s\n'):format(session_label(session)) }
    end
    local bufnr = api.nvim_get_current_buf()
    local view = require('acode.view').get(bufnr)
    local name = vim.fn.expand('%:.')
    if view then
      out[#out + 1] = { ('%s: %s\n'):format(name, require('acode').status(bufnr)) }
      if #view.unread > 0 then
        out[#out + 1] = { ('  not read   %s\n'):format(refused.lines_text(view.unread)), 'AcodeUnreadSign' }
      end
      if #view.changedRanges > 0 then
        out[#out + 1] = { ('  changed    %s\n'):format(refused.lines_text(view.changedRanges)), 'AcodeStale' }
      end
      if #view.redactedRanges > 0 then
        out[#out + 1] = { ('  redacted   %s\n'):format(refused.lines_text(view.redactedRanges)) }
      end
    elseif client.get(bufnr) then
      out[#out + 1] = { ('%s: no agent has looked at it\n'):format(name) }
    end
    api.nvim_echo(out, true, {})
  end)
end

---@param items vim.quickfix.entry[]
local function quickfix(items)
  if #items == 0 then
    message.info('the agent has read all of what it has touched')
    return
  end
  vim.fn.setqflist({}, ' ', { title = 'Not read by the agent', items = items })
  vim.cmd.copen({ mods = { split = 'botright' } })
end

--- Puts the unread ranges of the buffer, or of all files the agent has touched,
--- into the quickfix list.
---@param all boolean
local function unread(all)
  if not all then
    local bufnr = api.nvim_get_current_buf()
    if current() then
      quickfix(vim.tbl_map(function(r)
        local text = r.declares ~= '' and r.declares or ('%d lines'):format(r.last - r.first + 1)
        return { bufnr = bufnr, lnum = r.first + 1, end_lnum = r.last + 1, text = text, type = 'I' }
      end, require('acode.view').unread(bufnr)))
    end
    return
  end
  local server = client.any()
  if not server then
    return
  end
  client.request(server, 'acode/state', vim.empty_dict(), function(result)
    local items = {} ---@type vim.quickfix.entry[]
    for _, file in ipairs(result.files) do
      for _, r in ipairs(file.state ~= 'never_read' and file.unreadRanges or {}) do
        items[#items + 1] = {
          filename = vim.uri_to_fname(file.uri),
          lnum = r.startLine,
          end_lnum = r.endLine,
          text = ('%d lines'):format(r.endLine - r.startLine + 1),
          type = 'I',
        }
      end
    end
    quickfix(items)
  end)
end

--- Vouches that the agent knows lines: the given ones, else the unread range
--- under the cursor.
---@param opts vim.api.keyset.create_user_command.command_args
local function read(opts)
  local server, uri = current()
  if not server then
    return
  end
  local ranges = {} ---@type acode.LineRange[]
  if opts.range > 0 then
    ranges = { { startLine = opts.line1, endLine = opts.line2 } }
  else
    local row = api.nvim_win_get_cursor(0)[1] - 1
    for _, r in ipairs(require('acode.view').unread(api.nvim_get_current_buf())) do
      if r.first <= row and row <= r.last then
        ranges = { { startLine = r.first + 1, endLine = r.last + 1 } }
      end
    end
  end
  if #ranges == 0 then
    message.info('the cursor is on no unread line; :%Acode read takes all lines')
    return
  end
  client.command(server, 'acode.markRead', { uri = uri, ranges = ranges }, function()
    message.info(('lines %s count as read by the agent'):format(refused.lines_text(ranges)))
  end)
end

local function forget()
  local server, uri = current()
  if server then
    client.command(server, 'acode.forget', { uri = uri }, function()
      message.info(
        ('what the agent has read of %s is forgotten'):format(vim.fn.fnamemodify(vim.uri_to_fname(uri), ':.'))
      )
    end)
  end
end

---@param id string '' for the latest used
local function select_session(id)
  for _, server in ipairs(vim.lsp.get_clients({ name = client.name })) do
    client.command(server, 'acode.selectSession', { session = id })
  end
end

---@type string[] ids of sessions, for completion
local known_sessions = {}

---@param then_do fun(sessions: acode.Session[])
local function sessions(then_do)
  local server = client.any()
  if server then
    client.request(server, 'acode/sessions', vim.empty_dict(), function(result)
      known_sessions = vim.tbl_map(function(session)
        return session.id
      end, result.sessions)
      then_do(result.sessions)
    end)
  end
end

---@param id? string
local function session(id)
  if id then
    select_session(id == 'latest' and '' or id)
    return
  end
  sessions(function(all)
    local choices = vim.list_extend({ false }, all) ---@type (acode.Session|false)[]
    vim.ui.select(choices, {
      prompt = 'Session to show',
      kind = 'acode.session',
      format_item = function(choice)
        return choice and session_label(choice) or 'the latest used'
      end,
    }, function(choice)
      if choice ~= nil then
        select_session(choice and choice.id or '')
      end
    end)
  end)
end

local function log()
  local file = vim.lsp.log.get_filename()
  if vim.fn.filereadable(file) == 0 then
    message.info(('nothing was logged yet; the log would be %s'):format(file))
    return
  end
  vim.cmd.tabedit(vim.fn.fnameescape(file))
  vim.bo.readonly, vim.bo.modifiable = true, false
  vim.cmd.normal({ 'G', bang = true })
end

---@type table<string, acode.Subcommand>
local subcommands = {
  status = { run = status },
  unread = {
    run = function(arguments)
      if arguments[1] and arguments[1] ~= 'all' then
        message.error((':Acode unread takes all or nothing, not %s'):format(arguments[1]))
        return
      end
      unread(arguments[1] == 'all')
    end,
    arguments = 1,
    complete = function()
      return { 'all' }
    end,
  },
  next = {
    run = function()
      require('acode').jump(1)
    end,
  },
  previous = {
    run = function()
      require('acode').jump(-1)
    end,
  },
  read = {
    run = function(_, opts)
      read(opts)
    end,
    range = true,
  },
  forget = { run = forget },
  session = {
    run = function(arguments)
      session(arguments[1])
    end,
    arguments = 1,
    complete = function()
      sessions(function() end)
      return vim.list_extend({ 'latest' }, known_sessions)
    end,
  },
  artifacts = {
    run = function()
      require('acode.artifacts').pick()
    end,
  },
  refused = {
    run = function()
      refused.go()
    end,
  },
  toggle = {
    run = function()
      local on = require('acode.view').toggle()
      message.info(on and 'what the agent has not seen is shown' or 'what the agent has not seen is hidden')
    end,
  },
  log = { run = log },
  health = {
    run = function()
      vim.cmd.checkhealth('acode')
    end,
  },
}

---@return string[]
local function names()
  return vim.fn.sort(vim.tbl_keys(subcommands))
end

---@param opts vim.api.keyset.create_user_command.command_args
function M.run(opts)
  local name = opts.fargs[1] or 'status'
  local subcommand = subcommands[name]
  if not subcommand then
    message.error((':Acode has no %s; it has %s'):format(name, table.concat(names(), ', ')))
  elseif opts.range > 0 and not subcommand.range then
    message.error((':Acode %s takes no lines'):format(name))
  elseif #opts.fargs - 1 > (subcommand.arguments or 0) then
    message.error((':Acode %s does not take %s'):format(name, opts.fargs[#opts.fargs]))
  else
    subcommand.run(vim.list_slice(opts.fargs, 2), opts)
  end
end

---@param lead string
---@param line string
---@return string[]
function M.complete(lead, line)
  local name = line:match('Acode!?%s+(%S+)%s')
  local candidates = names()
  if name then
    local subcommand = subcommands[name]
    candidates = subcommand and subcommand.complete and subcommand.complete() or {}
  end
  return vim.tbl_filter(function(candidate)
    return vim.startswith(candidate, lead)
  end, candidates)
end

return M
