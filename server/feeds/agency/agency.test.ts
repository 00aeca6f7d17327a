import fs from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it } from 'vitest'
import { rawFiles, readRaw } from '../raw/reread-raw.ts'
import { createRawPushStore } from './agency.ts'

it('stores pushes of the same millisecond in separate files, in order', async () => {
  const dataDir = fs.mkdtempSync(path.join(tmpdir(), 'publicway-push-'))
  const storePush = createRawPushStore(dataDir)
  const push = {
    feedId: 'f',
    regionId: 'r',
    stream: 'events',
    version: '2.0',
    url: 'POST /mds/agency/events',
    received: Date.UTC(2026, 2, 2),
  }
  await Promise.all(['[1]', '[2]', 'no json'].map((text) => storePush({ ...push, body: Buffer.from(text) })))
  const files = await rawFiles(dataDir, 'r', 'f')
  const stored = await Promise.all(files.map((file) => readRaw(file)))
  expect(stored.map((each) => Buffer.from(each?.body ?? []).toString()).sort()).toEqual([
    '[1]',
    '[2]',
    'no json',
  ])
  expect(stored[0]?.head).toMatchObject({
    stream: 'events',
    version: '2.0',
    url: 'POST /mds/agency/events',
    received: push.received,
    piece: push.received,
  })
  fs.rmSync(dataDir, { recursive: true, force: true })
})
