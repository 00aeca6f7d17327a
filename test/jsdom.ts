// Adds what jsdom lacks for the tests of components.
import '@testing-library/jest-dom/vitest'
import { cleanup } from '@testing-library/react'
import { afterAll, afterEach, vi } from 'vitest'
import { setServerTexts } from '#web/i18n/server-text.ts'
import './fast-jsdom.ts'

class NoResizes implements ResizeObserver {
  observe() {}
  unobserve() {}
  disconnect() {}
}

window.ResizeObserver ??= NoResizes
window.matchMedia ??= (media) => ({
  matches: false,
  media,
  onchange: null,
  addListener() {},
  removeListener() {},
  addEventListener() {},
  removeEventListener() {},
  dispatchEvent: () => false,
})
Element.prototype.scrollIntoView ??= () => {}
// jsdom's own only logs that it is not implemented, for each page.
window.scrollTo = () => {}
// jsdom has no layout, so virtualized tables get a size.
for (const [side, pixels] of Object.entries({ clientHeight: 560, clientWidth: 1000 }))
  Object.defineProperty(HTMLElement.prototype, side, { configurable: true, get: () => pixels })
// Text areas that grow with their text listen for loaded fonts.
if (!('fonts' in document)) Object.defineProperty(document, 'fonts', { value: new EventTarget() })

afterEach(cleanup)

// Test files share one page, so each must begin with an empty one.
afterAll(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  setServerTexts({})
  localStorage.clear()
  sessionStorage.clear()
  document.title = ''
  document.body.replaceChildren()
  window.history.replaceState(null, '', '/')
})
