import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { availableMemory } from 'node:process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { atExit } from './children.js'

/** Bytes. One part has less than a gigabyte of files at a time; the engines need the other memory. */
const minFreeDisk = 4e9
const minFreeMemory = 10e9

/**
 * Lets the tests write their temporary files to memory if there is enough: each story copies and removes
 * stores of a thousand files, which costs a second of CPU time on a disk.
 */
export function putTemporaryFilesInMemory(folder = '/dev/shm') {
  if (process.env.TMPDIR || !hasRoom(folder)) return
  const scratch = mkdtempSync(join(folder, 'publicway-test-'))
  // PostgreSQL runs as another user in a subfolder, which that user must be able to reach.
  chmodSync(scratch, 0o711)
  process.env.TMPDIR = scratch
  atExit(() => rmSync(scratch, { recursive: true, force: true }))
}

/**
 * Sets folders that the parts share: for empty stores (test/template.ts) and for compiled modules
 * (vitest.config.ts), which the first part makes.
 */
export function shareFolders() {
  for (const name of ['TEST_TEMPLATE', 'TEST_MODULES']) {
    const folder = mkdtempSync(join(tmpdir(), 'publicway-shared-'))
    process.env[name] = folder
    atExit(() => rmSync(folder, { recursive: true, force: true }))
  }
}

function hasRoom(folder) {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize >= minFreeDisk && availableMemory() >= minFreeMemory
  } catch {
    return false
  }
}
