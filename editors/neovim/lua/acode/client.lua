-- The language client: how the server is started, what it says, and how it is
-- asked.

local config = require('acode.config')
local message = require('acode.message')

local M = {}

M.name = 'acode_ls'

--- What is in the folder of a workspace.
M.markers = { '.acode', '.git' }

--- The number in the server's experimental capabilities.
local protocol = 1

---@type table<string, true> what was said already
local said = {}

--- Says what keeps the server from its work.
---@param text string
---@param short string
local function say_once(text, short)
  if not said[text] then
    said[text] = true
    message.news(vim.log.levels.ERROR, text, short .. ' (:checkhealth acode)')
  end
end

--- The program and its arguments, also where vim.lsp.config names them.
---@return string[]
function M.cmd()
  local configured = vim.lsp.config[M.name]
  local cmd = configured and configured.cmd
  return type(cmd) == 'table' and cmd or config.get().cmd
end

--- Why the server cannot be started, nil if it can.
---@return string?
function M.missing()
  local exe = M.cmd()[1]
  if vim.fn.executable(exe) == 1 then
    return nil
  end
  return ('%s is not %s; install it, or name it with vim.g.acode.cmd, then :edit. :checkhealth acode says more'):format(
    exe,
    exe:find('/', 1, true) and 'there' or 'on the PATH'
  )
end

---@param dispatchers vim.lsp.rpc.Dispatchers
---@param client_config vim.lsp.ClientConfig
---@return vim.lsp.rpc.PublicClient
function M.start(dispatchers, client_config)
  return vim.lsp.rpc.start(config.get().cmd, dispatchers, { cwd = client_config.root_dir })
end

--- A file below no marker has no workspace, and the server is not started: it
--- would take the working directory, which may be the home folder.
---@param bufnr integer
---@param on_dir fun(root: string)
function M.root_dir(bufnr, on_dir)
  local root = vim.fs.root(bufnr, M.markers)
  if not root then
    return
  end
  local missing = M.missing()
  if missing then
    say_once(missing, M.cmd()[1] .. ' is missing')
    return
  end
  on_dir(root)
end

---@param bufnr? integer
---@return vim.lsp.Client? client that of the buffer, or of any without one
function M.get(bufnr)
  return vim.lsp.get_clients({ name = M.name, bufnr = bufnr })[1]
end

---@param client vim.lsp.Client
---@param method string
---@param params table
---@param on_result fun(result: any)
---@param bufnr? integer
function M.request(client, method, params, on_result, bufnr)
  ---@diagnostic disable-next-line: param-type-mismatch
  client:request(method, params, function(err, result)
    if err then
      message.error(('%s: %s'):format(method, err.message))
    else
      on_result(result)
    end
  end, bufnr)
end

---@param client vim.lsp.Client
---@param command string
---@param arguments table
---@param on_result? fun(result: any)
function M.command(client, command, arguments, on_result)
  M.request(
    client,
    'workspace/executeCommand',
    { command = command, arguments = { arguments } },
    on_result or function() end
  )
end

---@param client vim.lsp.Client
---@return string? problem
function M.mismatch(client)
  local capabilities = client.server_capabilities --[[@as table]]
  local spoken = vim.tbl_get(capabilities, 'experimental', 'acode', 'protocol')
  if spoken == protocol then
    return nil
  end
  local version = vim.tbl_get(client, 'server_info', 'version') or 'of unknown version'
  return ('the server, acode-ls %s, speaks protocol %s and this plugin %d; update the older of the two'):format(
    version,
    spoken or 'none',
    protocol
  )
end

--- The client to ask about a buffer. The person is told if there is none that
--- can be asked.
---@param bufnr integer
---@return vim.lsp.Client?
function M.of(bufnr)
  local client = M.get(bufnr)
  local problem ---@type string?
  if client then
    problem = M.mismatch(client)
  else
    local is_file = vim.bo[bufnr].buftype == '' and vim.api.nvim_buf_get_name(bufnr) ~= ''
    problem = M.missing()
      or is_file and vim.fs.root(bufnr, M.markers) and 'no server is running for this buffer (:checkhealth acode)'
      or 'this buffer is no file of a project with .git or .acode'
  end
  if problem then
    message.warn(problem)
    return nil
  end
  return client
end

--- The client to ask about a workspace rather than a buffer: that of the buffer
--- if it has one. The person is told if there is none that can be asked.
---@return vim.lsp.Client?
function M.any()
  local client = M.get(vim.api.nvim_get_current_buf()) or M.get()
  local problem = client and M.mismatch(client)
  if not client then
    problem = M.missing() or 'no server is running; open a file first (:checkhealth acode)'
  end
  if problem then
    message.warn(problem)
    return nil
  end
  return client
end

---@param client vim.lsp.Client
---@param bufnr integer
function M.attach(client, bufnr)
  local mismatch = M.mismatch(client)
  if mismatch then
    say_once(mismatch, 'the server is of another version')
    return
  end
  if config.get().code_lens then
    vim.lsp.codelens.enable(true, { bufnr = bufnr })
  end
  require('acode.view').attach(bufnr)
end

---@type number[] when the server crashed, in seconds
local crashes = {}

--- Starts a crashed server again, unless it crashes all the time or at once.
---@param code integer
---@param signal integer
---@param id integer
function M.on_exit(code, signal, id)
  if code == 0 and signal == 0 or vim.v.exiting ~= vim.NIL then
    return
  end
  local how = signal ~= 0 and ('signal %d'):format(signal) or ('status %d'):format(code)
  local now = vim.uv.now() / 1000
  crashes = vim.tbl_filter(function(at)
    return now - at < 180
  end, crashes)
  crashes[#crashes + 1] = now
  local client = vim.lsp.get_client_by_id(id)
  local was_ready = client == nil or client.initialized
  if not config.get().restart or not was_ready or #crashes > 3 then
    message.news(
      vim.log.levels.ERROR,
      ('the server ended with %s; :lsp restart %s starts it again, :Acode log may say why'):format(how, M.name),
      ('the server ended with %s (:lsp restart %s)'):format(how, M.name)
    )
    return
  end
  message.news(vim.log.levels.WARN, ('the server ended with %s and is started again'):format(how))
  local function start()
    if vim.v.exiting ~= vim.NIL or not vim.lsp.is_enabled(M.name) then
      return
    elseif vim.lsp.get_client_by_id(id) then -- which would be taken for one that runs
      vim.schedule(start)
    else
      vim.lsp.enable(M.name)
    end
  end
  vim.schedule(start)
end

---@type table<string, lsp.Handler>
M.handlers = {
  ['acode/stateChanged'] = function(_, params)
    for _, uri in ipairs(params.uris or {}) do
      require('acode.view').changed(uri)
    end
  end,
  ['acode/artifactsChanged'] = function()
    vim.api.nvim_exec_autocmds('User', { pattern = 'AcodeArtifacts', modeline = false })
  end,
  ['acode/editRefused'] = function(_, params)
    require('acode.refused').add(params)
  end,
  ['workspace/applyEdit'] = function(_, params, ctx)
    return require('acode.edit').apply(params, ctx)
  end,
}

return M
