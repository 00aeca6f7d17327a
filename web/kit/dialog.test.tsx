import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { FormDialog } from './form-dialog.tsx'
import { DialogFoot } from './dialog-foot.tsx'
import { Dialog } from './dialog.tsx'
import { SideDrawer } from './side-drawer.tsx'
import { renderPart } from './test-part.tsx'

describe('a dialog', () => {
  it('a dialog is named by its title, and closes with Esc and the close button', async () => {
    const onClose = vi.fn<() => void>()
    await renderPart(
      <Dialog title="Rename" onClose={onClose}>
        Body
      </Dialog>,
    )
    expect(await screen.findByRole('dialog', { name: 'Rename' })).toHaveTextContent('Body')
    await userEvent.click(screen.getByRole('button', { name: 'Close' }))
    await userEvent.keyboard('{Escape}')
    expect(onClose).toHaveBeenCalledTimes(2)
  })

  it('restores the focus unless it has moved elsewhere', async () => {
    function Asking() {
      const [isOpen, setIsOpen] = useState(false)
      return (
        <>
          <button type="button" onClick={() => setIsOpen(true)}>
            Ask
          </button>
          <input aria-label="Elsewhere" />
          {isOpen ? (
            <Dialog title="Sure?" onClose={() => setIsOpen(false)}>
              <button type="button" data-autofocus>
                Yes
              </button>
            </Dialog>
          ) : null}
        </>
      )
    }
    await renderPart(<Asking />)
    const renderDialog = async () => {
      await userEvent.click(screen.getByRole('button', { name: 'Ask' }))
      await waitFor(() => expect(screen.getByRole('button', { name: 'Yes' })).toHaveFocus())
    }
    await renderDialog()
    await userEvent.keyboard('{Escape}')
    await waitFor(() => expect(screen.getByRole('button', { name: 'Ask' })).toHaveFocus())
    await renderDialog()
    screen.getByLabelText('Elsewhere').focus()
    await userEvent.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    expect(screen.getByLabelText('Elsewhere')).toHaveFocus()
  })

  it('submits the surrounding form unless it has a callback', async () => {
    const onSubmit = vi.fn<(event: { preventDefault: () => void }) => void>((event) => event.preventDefault())
    const onAction = vi.fn<() => void>()
    await renderPart(
      <form onSubmit={onSubmit}>
        <DialogFoot action="Save" isPending={false} onCancel={() => undefined} />
        <DialogFoot
          action="Delete"
          isPending={false}
          isDanger
          onCancel={() => undefined}
          onAction={onAction}
        />
      </form>,
    )
    await userEvent.click(screen.getByRole('button', { name: 'Save' }))
    expect(onSubmit).toHaveBeenCalledOnce()
    await userEvent.click(screen.getByRole('button', { name: 'Delete' }))
    expect([onAction.mock.calls.length, onSubmit.mock.calls.length]).toEqual([1, 1])
  })

  it('a dialog with a form focuses its first field', async () => {
    await renderPart(
      <FormDialog
        title="Rename"
        action="Save"
        isPending={false}
        error={null}
        errorTitle="Not saved"
        onSubmit={() => undefined}
        onClose={() => undefined}
      >
        <input aria-label="Id" disabled />
        <input aria-label="Name" />
        <input aria-label="Description" />
      </FormDialog>,
    )
    await waitFor(() => expect(screen.getByLabelText('Name')).toHaveFocus())
  })

  it.each([
    ['its first invalid field', true],
    ['its button, if no field is invalid', false],
  ])('a dialog with a form that failed focuses %s', async (_what, isInvalid) => {
    function Form() {
      const [error, setError] = useState<Error | null>(null)
      return (
        <FormDialog
          title="Record payment"
          action="Save"
          isPending={false}
          error={error}
          errorTitle="Not saved"
          onSubmit={() => setError(new Error('Too much'))}
          onClose={() => undefined}
        >
          <input aria-label="Number" />
          <input aria-label="Amount" aria-invalid={error !== null && isInvalid} />
        </FormDialog>
      )
    }
    await renderPart(<Form />)
    await userEvent.type(screen.getByLabelText('Number'), '7{Enter}')
    expect(
      isInvalid ? screen.getByLabelText('Amount') : screen.getByRole('button', { name: 'Save' }),
    ).toHaveFocus()
  })

  it('a dialog that confirms a loss focuses Cancel', async () => {
    await renderPart(
      <ConfirmDialog
        title="Delete it?"
        action="Delete"
        isPending={false}
        error={null}
        onConfirm={() => undefined}
        onClose={() => undefined}
      >
        All of it
      </ConfirmDialog>,
    )
    await waitFor(() => expect(screen.getByRole('button', { name: 'Cancel' })).toHaveFocus())
  })

  it('a dialog from the side is rendered only while open', async () => {
    const makeDrawer = (isOpen: boolean) => (
      <SideDrawer title="Menu" size={280} position="left" isOpen={isOpen} onClose={() => undefined}>
        Pages
      </SideDrawer>
    )
    await renderPart(makeDrawer(false))
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
    await renderPart(makeDrawer(true))
    expect(await screen.findByRole('dialog', { name: 'Menu' })).toHaveTextContent('Pages')
  })
})
