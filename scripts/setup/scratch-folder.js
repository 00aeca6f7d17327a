import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { availableMemory } from 'node:process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { atExit } from './children.js'

/** What the tests of one part write at a time is under a gigabyte; the rest of the memory is for the engines. */
const minFreeDisk = 4e9
const minFreeMemory = 10e9

/**
 * Puts the temporary files of the tests into memory where there is plenty: each story copies and removes stores
 * of a thousand files, which costs a second of CPU time on a disk. Without enough memory, nothing changes.
 */
export function putFilesInMemory(folder = '/dev/shm') {
  if (process.env.TMPDIR || !hasRoom(folder)) return
  const scratch = mkdtempSync(join(folder, 'publicway-test-'))
  // PostgreSQL runs as another user, in a folder of its own in there.
  chmodSync(scratch, 0o711)
  process.env.TMPDIR = scratch
  atExit(() => rmSync(scratch, { recursive: true, force: true }))
}

/** Names the folder in which the first part that needs empty stores makes them for all (test/template.ts). */
export function shareTemplate() {
  const template = mkdtempSync(join(tmpdir(), 'publicway-template-'))
  process.env.TEST_TEMPLATE = template
  atExit(() => rmSync(template, { recursive: true, force: true }))
}

function hasRoom(folder) {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize >= minFreeDisk && availableMemory() >= minFreeMemory
  } catch {
    return false
  }
}
