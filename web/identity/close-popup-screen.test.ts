import { expect, it, vi } from 'vitest'
import { tellOpener } from './close-popup-screen.tsx'

const place = { hash: '#x=1', origin: 'https://streets.example' }

it('posts to the own origin only, and calls the function that waits', () => {
  const opener = {
    postMessage: vi.fn<(message: unknown, origin: string) => void>(),
    onOauth2LoginClose: vi.fn<(hash: string) => void>(),
  }
  tellOpener(opener, place)
  expect(opener.postMessage.mock.calls).toEqual([
    [{ type: 'oauth2-login-close', hash: '#x=1' }, 'https://streets.example'],
  ])
  expect(opener.onOauth2LoginClose.mock.calls).toEqual([['#x=1']])
})

it('minds neither a page of another site nor no opener at all', () => {
  const foreign = {
    postMessage: vi.fn<(message: unknown, origin: string) => void>(),
    get onOauth2LoginClose(): never {
      throw new DOMException('Blocked a frame', 'SecurityError')
    },
  }
  expect(() => tellOpener(foreign, place)).not.toThrow()
  expect(foreign.postMessage).toHaveBeenCalledWith(expect.anything(), 'https://streets.example')
  expect(() => tellOpener(null, place)).not.toThrow()
})
