import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createFolder } from '../../test/engines/open-stores.ts'
import { DirectoryInUse, lockDirectory } from './lock-directory.ts'

let folder: string
let remove: () => void
beforeEach(() => ({ folder, remove } = createFolder()))
afterEach(() => remove())

const getLockFile = (): string => path.join(folder, 'owner.lock')

/** Starts another process that locks the folder until it is killed. */
async function startOtherOwner() {
  const file = fileURLToPath(new URL('./lock-directory.ts', import.meta.url))
  const code = `const { lockDirectory } = await import(${JSON.stringify(file)}); lockDirectory(${JSON.stringify(folder)}); console.log('held'); setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  return {
    pid: child.pid,
    kill: async () => {
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}

test('lockDirectory creates, locks and releases the folder', () => {
  const deep = path.join(folder, 'a', 'b')
  const release = lockDirectory(deep)
  expect(() => lockDirectory(deep)).toThrow(DirectoryInUse)
  expect(() => lockDirectory(deep)).toThrow('already open in this process')
  release()
  expect(fs.readdirSync(deep)).toEqual([])
  lockDirectory(deep)()
})

test('lockDirectory refuses a second process and names the owner; takes over after the owner was killed', async () => {
  const owner = await startOtherOwner()
  expect(() => lockDirectory(folder)).toThrow(
    new DirectoryInUse(
      `The data directory ${folder} is in use by process ${owner.pid}. Stop that one first, or set DATA_DIR to another folder.`,
    ),
  )
  await owner.kill()
  expect(fs.existsSync(getLockFile())).toBe(true)
  lockDirectory(folder)()
})

test.each([
  // The parent of this process is alive, but did not start at the time in the lock.
  ['a dead owner with the id of another process', `${process.ppid} 1`],
  ['a dead owner with the id of this process', `${process.pid} 1`],
  ['a dead owner', '4194303 1'],
  ['an empty lock', ''],
])('lockDirectory takes over from %s', (_who, lock) => {
  fs.writeFileSync(getLockFile(), lock)
  const release = lockDirectory(folder)
  expect(fs.readFileSync(getLockFile(), 'utf8')).toMatch(new RegExp(`^${process.pid} \\d+$`))
  release()
  expect(fs.existsSync(getLockFile())).toBe(false)
})
