// Adds what jsdom lacks for the tests of components.
import '@testing-library/jest-dom/vitest'
import { cleanup, configure } from '@testing-library/react'
import { afterAll, afterEach, vi } from 'vitest'
import { setServerTexts } from '#web/i18n/server-text.ts'

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
// jsdom has no layout, so virtualized tables get a size.
for (const [side, pixels] of Object.entries({ clientHeight: 560, clientWidth: 1000 }))
  Object.defineProperty(HTMLElement.prototype, side, { configurable: true, get: () => pixels })
// Text areas that grow with their text listen for loaded fonts.
if (!('fonts' in document)) Object.defineProperty(document, 'fonts', { value: new EventTarget() })

/** The default display of elements by name and `open` attribute, from jsdom. */
const displays = new Map<string, string>()
const realStyle = window.getComputedStyle.bind(window)
function getDisplay(element: HTMLElement): string {
  if (element.hidden) return 'none'
  if (element.style.display) return element.style.display
  const isOpen = element.hasAttribute('open')
  const key = `${element.tagName} ${isOpen}`
  let found = displays.get(key)
  if (found === undefined) {
    const bare = document.createElement(element.tagName)
    bare.toggleAttribute('open', isOpen)
    displays.set(key, (found = realStyle(bare).display))
  }
  return found
}
const getVisibility = (element: HTMLElement): string =>
  element.closest<HTMLElement>('[style*="visibility"]')?.style.visibility || 'visible'

// Queries by role get the style of each element, for which jsdom searches all style sheets. This took half of
// the time of these tests. No style sheet of the app is loaded here, so only inline styles matter.
window.getComputedStyle = (element, pseudo) => {
  if (pseudo || !(element instanceof HTMLElement)) return realStyle(element, pseudo)
  const { style } = element
  const own: Record<string, () => string> = {
    display: () => getDisplay(element),
    visibility: () => getVisibility(element),
  }
  return new Proxy(style, {
    get(target, key) {
      if (key === 'getPropertyValue') return (name: string) => own[name]?.() ?? style.getPropertyValue(name)
      const value: unknown = own[String(key)]?.() ?? Reflect.get(target, key)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

// To find the labels of one field, jsdom searches the page for each label. This took a fifth of the time of
// these tests.
for (const { prototype } of [
  HTMLButtonElement,
  HTMLInputElement,
  HTMLMeterElement,
  HTMLOutputElement,
  HTMLProgressElement,
  HTMLSelectElement,
  HTMLTextAreaElement,
]) {
  const getLabels = Object.getOwnPropertyDescriptor(prototype, 'labels')?.get
  Object.defineProperty(prototype, 'labels', {
    configurable: true,
    get(this: HTMLElement) {
      if (!this.isConnected || (this instanceof HTMLInputElement && this.type === 'hidden'))
        return getLabels?.call(this)
      return [...document.querySelectorAll('label')].filter((label) =>
        label.hasAttribute('for')
          ? label.htmlFor !== '' && document.getElementById(label.htmlFor) === this
          : label.contains(this) && label.control === this,
      )
    },
  })
}

// Screens are loaded when they are first shown, and responses arrive one after another, which can take long
// on a busy machine.
configure({ asyncUtilTimeout: 60_000 })

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
