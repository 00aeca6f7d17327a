import { createMemoryHistory } from '@tanstack/react-router'
import { beforeEach, expect, it, vi } from 'vitest'
import { createAppRouter } from './app-router.tsx'
import { rememberUser } from './browser-storage.ts'

beforeEach(() => localStorage.clear())

/** How often the code of a screen is fetched once its address is known. */
async function fetched(): Promise<number> {
  const preload = vi.fn<() => Promise<void>>(() => Promise.resolve())
  const Screen = Object.assign(() => null, { preload })
  const router = createAppRouter(
    [{ path: '/$regionId/here', title: 'shell:pages.home', permission: 'signed_in', Screen }],
    {},
    createMemoryHistory({ initialEntries: ['/a-city/here'] }),
  )
  await router.load()
  return preload.mock.calls.length
}

it('fetches the code of a screen ahead for who was here before', async () => {
  rememberUser({
    id: '1',
    email: 'a@b.example',
    name: 'A',
    organizationId: '2',
    acceptedTermsOfService: true,
    providerData: [],
  })
  expect(await fetched()).toBe(1)
})

it('fetches none for somebody who is led to the sign-in page', async () => expect(await fetched()).toBe(0))
