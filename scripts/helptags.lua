-- Checks the help files of a folder: no tag is there twice, and what a |link|
-- names is a tag of theirs or of Neovim's. The tags go to a copy, as a package
-- manager makes its own.
--
--   nvim --clean -l scripts/helptags.lua editors/neovim/doc

local doc = assert(arg[1], 'usage: nvim --clean -l scripts/helptags.lua FOLDER')
local copy = vim.fn.tempname()
local faults = {}

local function fault(...)
  table.insert(faults, string.format(...))
end

---@param name string of a tags file
---@return table<string, true>
local function tags(name)
  local found = {}
  for line in io.lines(name) do
    found[line:match('^[^\t]+')] = true
  end
  return found
end

vim.fn.mkdir(copy, 'p')
local names = vim.fn.globpath(doc, '*.txt', true, true)
if #names == 0 then
  io.stderr:write(doc, ' holds no help file\n')
  os.exit(1)
end
for _, name in ipairs(names) do
  assert(vim.uv.fs_copyfile(name, vim.fs.joinpath(copy, vim.fs.basename(name))))
end
local fine, why = pcall(vim.cmd.helptags, copy)
if fine then
  local own, stock = tags(vim.fs.joinpath(copy, 'tags')), tags(vim.fs.joinpath(vim.env.VIMRUNTIME, 'doc', 'tags'))
  for _, name in ipairs(names) do
    local number = 0
    for line in io.lines(name) do
      number = number + 1
      for link in (' ' .. line .. ' '):gmatch('%f[|]|([^%s|]+)|%f[^%w|]') do
        if not own[link] and not stock[link] then
          fault('%s:%d: |%s| is not a tag', name, number, link)
        end
      end
    end
  end
else
  fault('%s', (why:gsub(vim.pesc(copy), (doc:gsub('%%', '%%%%')))))
end

vim.fn.delete(copy, 'rf')
for _, sentence in ipairs(faults) do
  io.stderr:write(sentence, '\n')
end
os.exit(#faults == 0 and 0 or 1)
