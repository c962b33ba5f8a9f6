std = 'luajit'
max_line_length = 120

-- What Neovim adds. Only these of its fields are there to be assigned; whoever
-- assigns others, such as a global handler, changes Neovim for every plugin.
local writable = { read_only = false, other_fields = true }
read_globals = {
  vim = {
    other_fields = true,
    fields = { g = writable, b = writable, w = writable, bo = writable, wo = writable, o = writable, opt = writable },
  },
}

-- A test listens in on Neovim's own handlers.
files['**/testdata/*.lua'] = { globals = { 'vim' } }
