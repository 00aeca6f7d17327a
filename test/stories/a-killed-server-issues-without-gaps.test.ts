import fs from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openState } from '#server/stores/state.ts'
import {
  addStormInvoices,
  importPayments,
  isOpen,
  issueNote,
  issueRest,
  listNotes,
  pause,
  seqsOf,
  startOn,
  stormInvoice,
  stormRegion,
  upTo,
} from '../billing/storm-invoices.ts'
import { numbersFrom } from '../city/random.ts'
import { newDataDir } from '../new-data-dir.ts'
import { administratorOf, callerOf, type ServerProcess } from '../server-process.ts'

const kills = Number(process.env['KILL_RUNS'] ?? 3)
const notes = 12 * kills
const dataDir = newDataDir()
const random = numbersFrom(Date.now() % 1_000_000)
let server: ServerProcess
let token: string

beforeAll(async () => {
  server = await startOn(dataDir)
  const admin = await administratorOf(server)
  token = admin.token
  await admin.ask('/v2/regions', 'POST', {
    regionId: stormRegion,
    text: stormRegion,
    lat: 41.5,
    lon: -72.5,
    timezone: 'America/New_York',
  })
  await server.kill('SIGTERM')
  const state = await openState({ databaseUrl: null, dataDir })
  await addStormInvoices(state, notes)
  await state.close()
  server = await startOn(dataDir)
}, 300_000)
afterAll(async () => {
  await server.kill('SIGKILL')
  fs.rmSync(dataDir, { recursive: true, force: true })
})

test('a server that is killed while it issues and imports payments skips no number, uses none twice and loses no cent', async () => {
  let admin = callerOf(server, token)
  const issued: number[] = []
  for (let kill = 0; kill <= kills; kill++) {
    const open = (await listNotes(admin)).filter(isOpen)
    const work = Promise.allSettled([importPayments(admin), ...open.map((each) => issueNote(admin, each))])
    if (kill < kills) {
      await pause(300 + random() * 1200)
      await server.kill('SIGKILL')
      await work
      server = await startOn(dataDir)
      admin = callerOf(server, token)
    } else {
      await work
      await issueRest(admin)
    }
    const seqs = seqsOf(await listNotes(admin))
    expect(seqs).toEqual(upTo(seqs.length))
    issued.push(seqs.length)
  }
  expect(issued.at(-1)).toBe(notes)
  // A kill came before all were issued.
  expect(issued[0]).toBeLessThan(notes)
  expect(await stormInvoice(admin)).toMatchObject({
    credited: `${notes}.00`,
    paid: '4.00',
    status: 'credited',
  })
})
