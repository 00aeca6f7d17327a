// What browsers have and jsdom lacks, for the tests of components.
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
// Text areas that grow measure again once a font has come.
if (!('fonts' in document)) Object.defineProperty(document, 'fonts', { value: new EventTarget() })

/** The display of an element of each name, open or not, as jsdom has it. */
const displays = new Map<string, string>()
const realStyle = window.getComputedStyle.bind(window)
function displayOf(element: HTMLElement): string {
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
const visibilityOf = (element: HTMLElement): string =>
  element.closest<HTMLElement>('[style*="visibility"]')?.style.visibility || 'visible'

// Queries by role ask for the style of each element, which jsdom looks up in all sheets: half the time of these tests. No sheet of
// the app is loaded here, so that only styles of the elements themselves count.
window.getComputedStyle = (element, pseudo) => {
  if (pseudo || !(element instanceof HTMLElement)) return realStyle(element, pseudo)
  const { style } = element
  const own: Record<string, () => string> = {
    display: () => displayOf(element),
    visibility: () => visibilityOf(element),
  }
  return new Proxy(style, {
    get(target, key) {
      if (key === 'getPropertyValue') return (name: string) => own[name]?.() ?? style.getPropertyValue(name)
      const value: unknown = own[String(key)]?.() ?? Reflect.get(target, key)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

// jsdom walks the whole page for each label of the page to find those of one field: a fifth of the time of these tests.
for (const { prototype } of [
  HTMLButtonElement,
  HTMLInputElement,
  HTMLMeterElement,
  HTMLOutputElement,
  HTMLProgressElement,
  HTMLSelectElement,
  HTMLTextAreaElement,
]) {
  const labelsOf = Object.getOwnPropertyDescriptor(prototype, 'labels')?.get
  Object.defineProperty(prototype, 'labels', {
    configurable: true,
    get(this: HTMLElement) {
      if (!this.isConnected || (this instanceof HTMLInputElement && this.type === 'hidden'))
        return labelsOf?.call(this)
      return [...document.querySelectorAll('label')].filter((label) =>
        label.hasAttribute('for')
          ? label.htmlFor !== '' && document.getElementById(label.htmlFor) === this
          : label.contains(this) && label.control === this,
      )
    },
  })
}

// Screens are fetched when they are first shown, and answers come one after the other: both take their time on a busy machine.
configure({ asyncUtilTimeout: 60_000 })

afterEach(cleanup)

// One page serves many files: each begins on an empty one.
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
