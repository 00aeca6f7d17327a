import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { type ReactNode, useState } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { isInPopup, tableMark, useFocusReturn, useLostFocus } from './focus.ts'

function Page({ children }: { children: ReactNode }) {
  useLostFocus()
  return <main>{children}</main>
}

/** Browsers remove the focus from a disabled button; jsdom does not. */
function blurAsBrowsers(): void {
  const other = document.body.appendChild(document.createElement('input'))
  other.focus()
  other.remove()
  expect(document.body).toHaveFocus()
}

/** A button that disappears when it is pressed. */
function DisappearingButton({ name, onPress }: { name: string; onPress?: () => void }) {
  const [isVisible, setVisible] = useState(true)
  if (!isVisible) return null
  return (
    <button
      onClick={() => {
        setVisible(false)
        onPress?.()
      }}
    >
      {name}
    </button>
  )
}

async function press(name: string): Promise<void> {
  screen.getByRole('button', { name }).focus()
  await userEvent.keyboard('{Enter}')
}

describe('the focus of a control that disappears', () => {
  it('returns to a button that was disabled during a request', async () => {
    function Export() {
      const [isBusy, setBusy] = useState(false)
      return (
        <>
          <h1>Exports</h1>
          <button disabled={isBusy} data-loading={isBusy || undefined} onClick={() => setBusy(true)}>
            Export
          </button>
          <div data-testid="done" onPointerDown={() => setBusy(false)} />
        </>
      )
    }
    render(
      <Page>
        <Export />
      </Page>,
    )
    const button = screen.getByRole('button', { name: 'Export' })
    await press('Export')
    expect(button).toBeDisabled()
    blurAsBrowsers()
    screen.getByTestId('done').dispatchEvent(new Event('pointerdown', { bubbles: true }))
    await waitFor(() => expect(button).toHaveFocus())
  })

  it('moves to the heading of the section, else of the page', async () => {
    render(
      <Page>
        <h1>Rates of June</h1>
        <DisappearingButton name="Approve" />
        <section>
          <h2>Disputes</h2>
          <DisappearingButton name="Withdraw" />
        </section>
      </Page>,
    )
    await press('Approve')
    await waitFor(() => expect(screen.getByRole('heading', { name: 'Rates of June' })).toHaveFocus())
    await press('Withdraw')
    await waitFor(() => expect(screen.getByRole('heading', { name: 'Disputes' })).toHaveFocus())
  })

  it('moves to the next entry of a list, or to the table of a removed row', async () => {
    const rest = { [tableMark]: true }
    render(
      <Page>
        <h1>Days</h1>
        <ul>
          {['May 1', 'May 2', 'May 3'].map((name) => (
            <DisappearingButton key={name} name={name} />
          ))}
        </ul>
        <div {...rest} tabIndex={0} aria-label="Payments">
          <DisappearingButton name="Void" />
        </div>
      </Page>,
    )
    await press('May 2')
    await waitFor(() => expect(screen.getByRole('button', { name: 'May 3' })).toHaveFocus())
    await userEvent.keyboard('{Enter}')
    await waitFor(() => expect(screen.getByRole('button', { name: 'May 1' })).toHaveFocus())
    await press('Void')
    await waitFor(() => expect(screen.getByLabelText('Payments')).toHaveFocus())
  })

  it('returns to the button of a menu once the button is enabled again', async () => {
    function Download() {
      const [state, setState] = useState<'closed' | 'open' | 'busy'>('closed')
      return (
        <>
          <h1>Metrics</h1>
          <section>
            <button
              disabled={state === 'busy'}
              data-loading={state === 'busy' || undefined}
              onClick={() => setState('open')}
            >
              Download
            </button>
          </section>
          {state === 'open' ? (
            <div role="menu">
              <button onClick={() => setState('busy')}>XLSX</button>
            </div>
          ) : null}
          <div data-testid="done" onPointerDown={() => setState('closed')} />
        </>
      )
    }
    render(
      <Page>
        <Download />
      </Page>,
    )
    const button = screen.getByRole('button', { name: 'Download' })
    await press('Download')
    const heading = vi.spyOn(screen.getByRole('heading'), 'focus')
    await press('XLSX')
    expect(button).toBeDisabled()
    fireEvent.pointerDown(screen.getByTestId('done'))
    await waitFor(() => expect(button).toHaveFocus())
    expect(heading).not.toHaveBeenCalled()
  })

  it('moves to the heading if the dialog and the control that opened it are gone', async () => {
    function Confirmation({ onClose }: { onClose: () => void }) {
      useFocusReturn()
      return <button onClick={onClose}>Delete it</button>
    }
    function Draft() {
      const [state, setState] = useState<'open' | 'asked' | 'deleted'>('open')
      return (
        <>
          <h1>Draft</h1>
          {state === 'deleted' ? null : <button onClick={() => setState('asked')}>Delete</button>}
          {state === 'asked' ? <Confirmation onClose={() => setState('deleted')} /> : null}
        </>
      )
    }
    render(
      <Page>
        <Draft />
      </Page>,
    )
    await press('Delete')
    await press('Delete it')
    await waitFor(() => expect(screen.getByRole('heading', { name: 'Draft' })).toHaveFocus())
  })

  it('the focus of a control that disappears is left alone after a click beside all controls', async () => {
    const { rerender } = render(
      <Page>
        <h1>Page</h1>
        <button>Open</button>
        <p>Text</p>
      </Page>,
    )
    vi.useFakeTimers()
    const button = screen.getByRole('button', { name: 'Open' })
    button.focus()
    fireEvent.mouseDown(screen.getByText('Text'))
    button.blur()
    vi.runAllTimers()
    rerender(
      <Page>
        <h1>Page</h1>
        <p>Text</p>
      </Page>,
    )
    // Mutations are observed in microtasks.
    await Promise.resolve()
    vi.runAllTimers()
    vi.useRealTimers()
    expect(document.body).toHaveFocus()
  })
})

it('recognizes elements that Escape closes', () => {
  render(
    <>
      <div role="dialog">
        <button>in a dialog</button>
      </div>
      <button aria-haspopup="listbox" aria-expanded>
        open
      </button>
      <button aria-haspopup="listbox" aria-expanded={false}>
        closed
      </button>
      <button aria-expanded>a panel</button>
    </>,
  )
  expect(
    ['in a dialog', 'open', 'closed', 'a panel'].map((text) => isInPopup(screen.getByText(text))),
  ).toEqual([true, true, false, false])
  expect([isInPopup(document), isInPopup(null)]).toEqual([false, false])
})
