-- What did not fit into an agent's answer: as documents, and to choose from.

local client = require('acode.client')
local config = require('acode.config')
local message = require('acode.message')

local M = {}

local api = vim.api

--- How long a document may take, in ms.
local patience = 10000

--- The URI of an artifact in the spelling of the server.
---@param name string acode-artifact:/ID.EXT or acode-artifact://ID.EXT
---@return string
function M.uri(name)
  return (name:gsub('^acode%-artifact:/*', 'acode-artifact:/'))
end

---@param uri string
---@return string? text, string? problem
local function text_of(uri)
  local problem = client.missing() or 'no server is running; open a file of the project first'
  local gone ---@type string?
  for _, server in ipairs(vim.lsp.get_clients({ name = client.name })) do
    local params = { uri = uri }
    ---@diagnostic disable-next-line: param-type-mismatch
    local answer, err = server:request_sync('workspace/textDocumentContent', params, patience)
    if not answer then
      problem = ('the server did not answer within %d s (%s)'):format(patience / 1000, err)
    elseif answer.err then
      problem = answer.err.message
    elseif not answer.result.text:match('^404: ') then
      return answer.result.text
    else
      gone = answer.result.text
    end
  end
  if gone then
    return gone
  end
  return nil, problem
end

---@param uri string
---@return string
local function filetype_of(uri)
  return vim.filetype.match({ filename = uri:match('[^/]*$') }) or 'text'
end

--- The first lines, for a preview.
---@param uri string
---@return string[]
local function head_of(uri)
  local lines = vim.split(text_of(uri) or '', '\n', { plain = true })
  return vim.list_slice(lines, 1, 500)
end

--- Fills the buffer of an artifact.
---@param bufnr integer
---@param name string
function M.read(bufnr, name)
  local uri = M.uri(name)
  local text, problem = text_of(uri)
  if not text then
    message.error(('%s: %s'):format(uri, problem))
    text = ''
  end
  local lines = vim.split(text, '\n', { plain = true })
  if lines[#lines] == '' and #lines > 1 then
    lines[#lines] = nil
  end
  local bo = vim.bo[bufnr]
  bo.modifiable, bo.readonly = true, false
  local levels = bo.undolevels
  bo.undolevels = -1
  api.nvim_buf_set_lines(bufnr, 0, -1, false, lines)
  bo.undolevels = levels
  bo.buftype, bo.swapfile = 'nofile', false
  bo.modified, bo.modifiable, bo.readonly = false, false, true
  bo.filetype = filetype_of(uri)
end

---@param artifact acode.Artifact
---@return string
function M.label(artifact)
  local size = artifact.size
  local units = { 'B', 'KB', 'MB', 'GB' }
  local unit = 1
  while size >= 1024 and unit < #units do
    size, unit = size / 1024, unit + 1
  end
  local amount = (unit == 1 or size >= 10) and ('%.0f %s'):format(size, units[unit])
    or ('%.1f %s'):format(size, units[unit])
  local what = artifact.summary ~= '' and artifact.summary or artifact.id
  return ('%s  (%s, %s)'):format(what, amount, artifact.type)
end

---@param artifact acode.Artifact
local function open(artifact)
  message.try(vim.cmd.edit, vim.fn.fnameescape(artifact.uri))
end

--- The pickers, each false if it is not there.
---@type table<string, fun(artifacts: acode.Artifact[]): false?>
local pickers = {
  select = function(artifacts)
    vim.ui.select(artifacts, { prompt = 'Artifacts', kind = 'acode.artifact', format_item = M.label }, function(chosen)
      if chosen then
        open(chosen)
      end
    end)
  end,
  snacks = function(artifacts)
    local ok, snacks = pcall(require, 'snacks')
    if not ok or not snacks.picker then
      return false
    end
    snacks.picker({
      title = 'Artifacts',
      items = vim.tbl_map(function(artifact)
        return { text = M.label(artifact), artifact = artifact }
      end, artifacts),
      format = 'text',
      preview = function(ctx)
        ctx.preview:set_lines(head_of(ctx.item.artifact.uri))
        ctx.preview:highlight({ ft = filetype_of(ctx.item.artifact.uri) })
      end,
      confirm = function(picker, item)
        picker:close()
        if item then
          open(item.artifact)
        end
      end,
    })
  end,
  telescope = function(artifacts)
    local ok, telescope = pcall(require, 'telescope.pickers')
    if not ok then
      return false
    end
    local actions, state = require('telescope.actions'), require('telescope.actions.state')
    telescope
      .new({}, {
        prompt_title = 'Artifacts',
        finder = require('telescope.finders').new_table({
          results = artifacts,
          entry_maker = function(artifact)
            return { value = artifact, display = M.label(artifact), ordinal = M.label(artifact) }
          end,
        }),
        sorter = require('telescope.config').values.generic_sorter({}),
        previewer = require('telescope.previewers').new_buffer_previewer({
          define_preview = function(self, entry)
            api.nvim_buf_set_lines(self.state.bufnr, 0, -1, false, head_of(entry.value.uri))
          end,
        }),
        attach_mappings = function(prompt)
          actions.select_default:replace(function()
            actions.close(prompt)
            local entry = state.get_selected_entry()
            if entry then
              open(entry.value)
            end
          end)
          return true
        end,
      })
      :find()
  end,
}

---@param artifacts acode.Artifact[]
local function choose(artifacts)
  if #artifacts == 0 then
    message.info('the session has no artifacts; what is too long for an agent becomes one')
    return
  end
  local wanted = config.get().picker
  local tried = wanted == 'auto' and { 'snacks', 'telescope', 'select' } or { wanted }
  for _, name in ipairs(tried) do
    if pickers[name](artifacts) ~= false then
      return
    end
  end
  message.warn(('the picker %s is not installed; vim.ui.select is used'):format(wanted))
  pickers.select(artifacts)
end

--- Lets the person choose an artifact of the session to open.
function M.pick()
  local server = client.any()
  if not server then
    return
  end
  local all = {} ---@type acode.Artifact[]
  ---@param cursor? string
  local function next_page(cursor)
    client.request(server, 'acode/artifacts', { cursor = cursor, limit = 500 }, function(result)
      vim.list_extend(all, result.artifacts)
      if result.nextCursor then
        next_page(result.nextCursor)
        return
      end
      -- The latest first.
      choose(vim.iter(all):rev():totable())
    end)
  end
  next_page()
end

return M
