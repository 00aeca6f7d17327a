import { createMemoryHistory } from '@tanstack/react-router'
import { beforeEach, expect, it, vi } from 'vitest'
import { createAppRouter } from './app-router.tsx'
import { rememberUser } from './browser-storage.ts'
import { makeScreenEntry } from '#web/shell/test-frame.tsx'

beforeEach(() => localStorage.clear())

/** Opens a screen and counts how often its code was preloaded. */
async function countPreloads(): Promise<number> {
  const preload = vi.fn<() => Promise<void>>(() => Promise.resolve())
  const Screen = Object.assign(() => null, { preload })
  const router = createAppRouter(
    [makeScreenEntry('/$regionId/here', 'shell:pages.home', Screen)],
    {},
    createMemoryHistory({ initialEntries: ['/a-city/here'] }),
  )
  await router.load()
  return preload.mock.calls.length
}

it('preloads the code of a screen for a returning user', async () => {
  rememberUser({
    id: '1',
    email: 'a@b.example',
    name: 'A',
    organizationId: '2',
    acceptedTermsOfService: true,
    providerData: [],
  })
  expect(await countPreloads()).toBe(1)
})

it('preloads nothing for visitors who are redirected to the sign-in page', async () =>
  expect(await countPreloads()).toBe(0))
