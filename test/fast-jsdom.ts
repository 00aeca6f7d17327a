// Replaces slow parts of jsdom, Testing Library and React. Evaluated once for each page, which serves many
// files; jsdom.ts is evaluated for each file.
import { configure, getConfig } from '@testing-library/react'
import * as React from 'react'

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

// Libraries get elements by id with these selectors: jsdom searches the page, despite its index of ids.
const idSelector = /^(?:#([\w-]+)|\[id="([^"\\]+)"\])( \[[\w-]+\])?$/
for (const { prototype } of [Document, Element]) {
  const { querySelector } = prototype
  prototype.querySelector = function (this: Document | Element, selector: string): Element | null {
    const [, hash, quoted, below] = idSelector.exec(selector) ?? []
    const id = hash ?? quoted
    const found = id === undefined ? null : document.getElementById(id)
    if (id === undefined || (this !== document && !(found && found !== this && this.contains(found))))
      return querySelector.call(this, selector)
    return below && found ? found.querySelector(below.trim()) : found
  }
}

// jsdom searches the page for each label of one field, a fifth of the time of these tests.
const labelCollection = document.getElementsByTagName('label')
const { item } = HTMLCollection.prototype
function* labelsOfPage(): Generator<HTMLLabelElement> {
  // The collection's own iterator reads its length each time, and jsdom searches for an element so named.
  for (let i = 0, label; (label = item.call(labelCollection, i)); i++) yield label as HTMLLabelElement
}
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
      const id = this.id && document.getElementById(this.id) === this ? this.id : undefined
      return [...labelsOfPage()].filter((label) => {
        const labeled = label.getAttribute('for')
        return labeled === null ? label.contains(this) && label.control === this : labeled === id
      })
    },
  })
}

// For warnings, React's development build captures a stack trace for each element that it creates, up to
// 10,000 a second. This took a tenth of the time of these tests.
const internals: unknown = Reflect.get(
  React,
  '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE',
)
Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', { get: () => 10_000, set() {} })

// Screens are loaded when they are first shown, and responses arrive one after another, which can take long
// on a busy machine.
configure(({ getElementError }) => ({
  asyncUtilTimeout: 60_000,
  // Without the page while a query waits: each attempt would print it, and a timeout adds it anyway.
  getElementError: (message, container) =>
    Reflect.get(getConfig(), '_disableExpensiveErrorDiagnostics')
      ? Object.assign(new Error(message ?? ''), { name: 'TestingLibraryElementError' })
      : getElementError(message, container),
}))
