import { expect, it, vi } from 'vitest'
import { notifyOpener } from './close-popup-screen.tsx'

const popupLocation = { hash: '#x=1', origin: 'https://streets.example' }

it('posts to its own origin only, and calls the waiting function', () => {
  const opener = {
    postMessage: vi.fn<(message: unknown, origin: string) => void>(),
    onOauth2LoginClose: vi.fn<(hash: string) => void>(),
  }
  notifyOpener(opener, popupLocation)
  expect(opener.postMessage.mock.calls).toEqual([
    [{ type: 'oauth2-login-close', hash: '#x=1' }, 'https://streets.example'],
  ])
  expect(opener.onOauth2LoginClose.mock.calls).toEqual([['#x=1']])
})

it('works with an opener of another site, and without an opener', () => {
  const foreign = {
    postMessage: vi.fn<(message: unknown, origin: string) => void>(),
    get onOauth2LoginClose(): never {
      throw new DOMException('Blocked a frame', 'SecurityError')
    },
  }
  expect(() => notifyOpener(foreign, popupLocation)).not.toThrow()
  expect(foreign.postMessage).toHaveBeenCalledWith(expect.anything(), 'https://streets.example')
  expect(() => notifyOpener(null, popupLocation)).not.toThrow()
})
