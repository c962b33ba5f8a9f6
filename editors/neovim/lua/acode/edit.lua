-- How an agent's edit is applied: all of it or nothing, to the text it was made
-- for, and with an honest answer.

local config = require('acode.config')

local M = {}

local api = vim.api

--- How long the person may think, in ms. The server waits a minute.
local patience = 45000

local ns = api.nvim_create_namespace('acode.edit')

---@class (exact) acode.Change A member of documentChanges.
---@field index integer 0-based
---@field kind? 'create'|'rename'|'delete' none for edits
---@field bufnr integer that of the file, -1 if there is none
---@field name string
---@field edits lsp.TextEdit[]
---@field version? integer
---@field uri? string
---@field to? string path, of a rename
---@field options table

---@param uri string
---@return integer bufnr, string name
local function buffer_of(uri)
  local path = vim.uri_to_fname(uri)
  local name = vim.fn.fnamemodify(path, ':.')
  for _, bufnr in ipairs(api.nvim_list_bufs()) do
    if api.nvim_buf_get_name(bufnr) == path then
      return bufnr, name
    end
  end
  return -1, name
end

---@param edit lsp.WorkspaceEdit
---@return acode.Change[]
local function changes_of(edit)
  local out = {} ---@type acode.Change[]
  ---@param uri string
  ---@param change table
  local function add(uri, change)
    local bufnr, name = buffer_of(uri)
    out[#out + 1] = vim.tbl_extend('force', {
      index = #out,
      bufnr = bufnr,
      name = name,
      edits = {},
      options = {},
      uri = uri,
    }, change)
  end
  for _, change in ipairs(edit.documentChanges or {}) do
    if change.kind == 'rename' then
      add(change.oldUri, { kind = 'rename', to = vim.uri_to_fname(change.newUri), options = change.options })
    elseif change.kind then
      add(change.uri, { kind = change.kind, options = change.options })
    else
      local version = change.textDocument.version
      add(change.textDocument.uri, { edits = change.edits, version = version ~= vim.NIL and version or nil })
    end
  end
  if not edit.documentChanges then
    for uri, edits in pairs(edit.changes or {}) do
      add(uri, { edits = edits })
    end
  end
  return out
end

--- Why a change cannot be made, nil if it can.
---@param change acode.Change
---@return string?
local function obstacle(change)
  local bufnr, name = change.bufnr, change.name
  if change.kind == 'create' or change.kind == 'rename' then
    local path = change.to or vim.uri_to_fname(change.uri)
    if vim.uv.fs_lstat(path) and not change.options.overwrite and not change.options.ignoreIfExists then
      return vim.fn.fnamemodify(path, ':.') .. ' exists'
    end
  end
  if change.kind then
    return nil
  end
  if change.version then
    if bufnr == -1 or not api.nvim_buf_is_loaded(bufnr) then
      return name .. ' is not open any more'
    end
    local version = vim.lsp.util.buf_versions[bufnr]
    if version ~= change.version then
      return ('%s is at version %d, and the edit is for version %d'):format(name, version, change.version)
    end
  end
  if bufnr ~= -1 and api.nvim_buf_is_loaded(bufnr) and not vim.bo[bufnr].modifiable then
    return name .. " is not 'modifiable'"
  end
end

---@param changes acode.Change[]
---@return { applied: false, failureReason: string, failedChange: integer }?
local function refusal(changes)
  for _, change in ipairs(changes) do
    local reason = obstacle(change)
    if reason then
      return { applied = false, failureReason = reason, failedChange = change.index }
    end
  end
end

--- Asks the person about the documents that the server wants to be asked about.
---@async
---@param edit table lsp.WorkspaceEdit
---@param changes acode.Change[]
---@return string? refused
local function confirm(edit, changes)
  local annotations = edit.changeAnnotations or {}
  local names, why = {}, nil
  for _, change in ipairs(changes) do
    for _, text_edit in ipairs(change.edits) do
      local annotation = annotations[text_edit.annotationId]
      if annotation and annotation.needsConfirmation and not vim.list_contains(names, change.name) then
        names[#names + 1], why = change.name, annotation.label
      end
    end
    -- The buffer goes with the file, and no undo brings it back.
    if change.kind == 'delete' and change.bufnr ~= -1 and vim.bo[change.bufnr].modified then
      names[#names + 1], why = change.name, 'Unsaved changes that would be lost'
    end
  end
  if #names == 0 or not config.get().confirm then
    return nil
  end
  local co = coroutine.running()
  local timer = assert(vim.uv.new_timer())
  local done = false
  ---@param answer string
  local function finish(answer)
    if not done then
      done = true
      timer:stop()
      timer:close()
      vim.schedule(function()
        coroutine.resume(co, answer)
      end)
    end
  end
  timer:start(
    patience,
    0,
    vim.schedule_wrap(function()
      finish('late')
    end)
  )
  local function ask()
    if done then
      return
    elseif refusal(changes) then -- whatever the answer would be
      finish('Apply')
      return
    end
    vim.ui.select({ 'Refuse', 'Apply' }, {
      prompt = ('%s: %s. Apply the edit of the agent?'):format(table.concat(names, ', '), why),
      kind = 'acode.confirm',
    }, function(choice)
      finish(choice or 'Refuse')
    end)
  end
  -- What is being typed must not be taken for the answer.
  if api.nvim_get_mode().mode:find('^[iRc]') then
    api.nvim_create_autocmd('ModeChanged', { pattern = '*:[^iRc]*', once = true, callback = vim.schedule_wrap(ask) })
  else
    vim.schedule(ask)
  end
  local answer = coroutine.yield()
  if answer == 'late' then
    return ('nobody answered within %d s whether to edit %s'):format(patience / 1000, table.concat(names, ', '))
  elseif answer ~= 'Apply' then
    return 'the person refused it'
  end
end

--- The lines that edits leave behind, as rows.
---@param edits lsp.TextEdit[]
---@return [integer, integer][]
local function result_rows(edits)
  local sorted = vim.deepcopy(edits)
  table.sort(sorted, function(a, b)
    return a.range.start.line < b.range.start.line
  end)
  local out, delta = {}, 0
  for _, edit in ipairs(sorted) do
    local start, finish = edit.range.start.line, edit.range['end'].line
    local _, breaks = edit.newText:gsub('\n', '')
    local last = start + delta + breaks
    if edit.newText:sub(-1) == '\n' and edit.range['end'].character == 0 then
      last = last - 1
    end
    out[#out + 1] = { start + delta, math.max(last, start + delta) }
    delta = delta + breaks - (finish - start)
  end
  return out
end

---@param change acode.Change
local function flash(change)
  local time = config.get().flash_ms
  if time == 0 or #vim.fn.win_findbuf(change.bufnr) == 0 then
    return
  end
  local last_row = api.nvim_buf_line_count(change.bufnr) - 1
  for _, rows in ipairs(result_rows(change.edits)) do
    local first, last = math.min(rows[1], last_row), math.min(rows[2], last_row)
    vim.hl.range(change.bufnr, ns, 'AcodeFlash', { first, 0 }, { last, -1 }, {
      regtype = 'V',
      timeout = time,
      priority = vim.hl.priorities.user,
    })
  end
end

--- Ends the undo step that the person is in.
---@param bufnr integer
local function end_undo_step(bufnr)
  local levels = vim.bo[bufnr].undolevels
  vim.bo[bufnr].undolevels = levels
end

---@param change acode.Change
---@param encoding 'utf-8'|'utf-16'|'utf-32'
---@return fun() undo
local function edit_text(change, encoding)
  local bufnr = change.bufnr
  if bufnr == -1 then
    bufnr = vim.fn.bufadd(vim.uri_to_fname(change.uri))
    change.bufnr = bufnr
  end
  vim.fn.bufload(bufnr)
  end_undo_step(bufnr)
  local seq = vim.fn.undotree(bufnr).seq_cur
  local plain = vim.tbl_map(function(text_edit)
    return { range = text_edit.range, newText = text_edit.newText }
  end, change.edits)
  vim.lsp.util.apply_text_edits(plain, bufnr, encoding)
  end_undo_step(bufnr)
  return function()
    api.nvim_buf_call(bufnr, function()
      vim.cmd.undo({ count = seq, mods = { silent = true } })
    end)
  end
end

---@param change acode.Change
---@return fun() undo
local function file_operation(change)
  local path = vim.uri_to_fname(change.uri)
  if change.kind == 'rename' then
    vim.lsp.util.rename(path, change.to, change.options)
    return function()
      vim.lsp.util.rename(change.to, path, { overwrite = true })
    end
  end
  local operation = { kind = change.kind, uri = change.uri, options = change.options }
  vim.lsp.util.apply_workspace_edit({ documentChanges = { operation } }, 'utf-8')
  return function() end
end

--- Handles workspace/applyEdit.
---@async
---@param params lsp.ApplyWorkspaceEditParams
---@param ctx lsp.HandlerContext
---@return lsp.ApplyWorkspaceEditResult
function M.apply(params, ctx)
  local client = assert(vim.lsp.get_client_by_id(ctx.client_id))
  local changes = changes_of(params.edit)
  local refused = refusal(changes)
  if refused then
    return refused
  end
  local said = confirm(params.edit, changes)
  -- The person may have typed before answering.
  refused = said and { applied = false, failureReason = said } or refusal(changes)
  if refused then
    return refused
  end

  local undos = {} ---@type fun()[]
  for _, change in ipairs(changes) do
    local ok, result = pcall(change.kind and file_operation or edit_text, change, client.offset_encoding)
    if not ok then
      for i = #undos, 1, -1 do
        pcall(undos[i])
      end
      return { applied = false, failureReason = tostring(result), failedChange = change.index }
    end
    undos[#undos + 1] = result
  end
  for _, change in ipairs(changes) do
    if not change.kind then
      flash(change)
      -- A request has Neovim tell the server of the new text at once.
      local document = { textDocument = { uri = change.uri } }
      ---@diagnostic disable-next-line: param-type-mismatch
      client:request('acode/view', document, function() end, change.bufnr)
    end
  end
  return { applied = true }
end

return M
