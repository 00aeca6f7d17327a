import { screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { fakeServer } from '#web/data/test-server.ts'
import type { ScreenEntry } from '#web/shell/screen-entry.ts'
import { renderApp, makeScreenEntry } from '#web/shell/test-frame.tsx'
import { signedIn } from '#web/shell/test-responses.ts'
import { testPolicy } from './test-policy.ts'
import { StatusMark } from './status-mark.tsx'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

it.each([
  ['2026-05-01T14:15:00Z', null, 'Takes effect 10:35 AM'],
  ['2026-05-01T14:15:00Z', '2026-05-04', 'Takes effect May 4, 12:00 AM'],
  ['2026-05-01T13:00:00Z', null, null],
])('a policy published %s that starts %s says: %s', async (published_time, start_date, text) => {
  vi.setSystemTime('2026-05-01T14:20:00Z')
  const policy = {
    ...testPolicy(),
    published: true,
    status: 'published',
    published_time,
    start_date,
  } as const
  const Screen = () => <StatusMark policy={policy} />
  const screens: ScreenEntry[] = [
    makeScreenEntry('/$regionId/mobility/policies', 'shell:pages.policies', Screen),
  ]
  fakeServer(signedIn())
  await renderApp(screens, '/port-meridian/mobility/policies')
  expect(await screen.findByText('Published')).toBeInTheDocument()
  const mark = screen.queryByText(/^Takes effect/)
  expect(mark?.textContent.replace(/\s/g, ' ') ?? null).toBe(text)
})
