import fs from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { openDirectoryBlobs } from '#server/stores/blobs/directory-blobs.ts'
import { readRaw } from '../raw/reread-raw.ts'
import { createRawPushStore } from './agency.ts'

test('The raw store stores pushes of the same millisecond in separate files, in order', async () => {
  const dataDir = fs.mkdtempSync(path.join(tmpdir(), 'publicway-push-'))
  const blobs = openDirectoryBlobs(dataDir)
  const storePush = createRawPushStore(blobs)
  const push = {
    feedId: 'f',
    regionId: 'r',
    stream: 'events',
    version: '2.0',
    url: 'POST /mds/agency/events',
    received: Date.UTC(2026, 2, 2),
  }
  await Promise.all(['[1]', '[2]', 'no json'].map((text) => storePush({ ...push, body: Buffer.from(text) })))
  const stored = []
  for await (const { key } of blobs.list('raw/r/f/')) stored.push(await readRaw(blobs, key))
  expect(stored.map((call) => Buffer.from(call?.body ?? []).toString()).sort()).toEqual([
    '[1]',
    '[2]',
    'no json',
  ])
  expect(stored[0]?.head).toMatchObject({
    stream: 'events',
    version: '2.0',
    url: 'POST /mds/agency/events',
    received: push.received,
    windowStart: push.received,
  })
  fs.rmSync(dataDir, { recursive: true, force: true })
})
