import { fireEvent, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { Dialog } from './dialog.tsx'
import { renderPart } from './test-part.tsx'
import { useShortcuts } from './use-shortcuts.ts'

const act = vi.fn<() => void>()

function Page() {
  useShortcuts([['T', act]])
  return (
    <>
      <input aria-label="Compare" type="checkbox" />
      <input aria-label="Name" />
      <textarea aria-label="Message" />
      <button>Share</button>
      <input aria-label="Closed" role="combobox" aria-expanded="false" aria-controls="list" readOnly />
      <input aria-label="Open" role="combobox" aria-expanded="true" aria-controls="list" readOnly />
    </>
  )
}

it('works everywhere except where text is typed', async () => {
  await renderPart(<Page />)
  const countPresses = (element: HTMLElement): number => {
    act.mockClear()
    fireEvent.keyDown(element, { key: 't', code: 'KeyT' })
    return act.mock.calls.length
  }
  expect(countPresses(screen.getByRole('checkbox'))).toBe(1)
  expect(countPresses(screen.getByRole('button'))).toBe(1)
  expect(countPresses(document.body)).toBe(1)
  expect(countPresses(screen.getByRole('combobox', { name: 'Closed' }))).toBe(1)
  expect(countPresses(screen.getByRole('combobox', { name: 'Open' }))).toBe(0)
  expect(countPresses(screen.getByRole('textbox', { name: 'Name' }))).toBe(0)
  expect(countPresses(screen.getByRole('textbox', { name: 'Message' }))).toBe(0)
})

it('shortcuts are suspended while a dialog is open', async () => {
  act.mockClear()
  await renderPart(
    <>
      <Page />
      <Dialog title="Credit note" onClose={() => {}}>
        <button>Cancel</button>
      </Dialog>
    </>,
  )
  fireEvent.keyDown(screen.getByRole('button', { name: 'Cancel' }), { key: 't', code: 'KeyT' })
  fireEvent.keyDown(document.body, { key: 't', code: 'KeyT' })
  expect(act).not.toHaveBeenCalled()
})
