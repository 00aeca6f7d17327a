import type { ReactNode } from 'react'
import { Dialog } from './dialog.tsx'
import { DialogFoot } from './dialog-foot.tsx'
import { FailedState, type DisplayableError } from './failed-state.tsx'

interface Props {
  title: string
  /** What will be lost, and what remains. */
  children: ReactNode
  /** Verb on the button. */
  action: string
  /** False if nothing is lost and the dialog only prevents accidental clicks. */
  isDanger?: boolean
  isPending: boolean
  error: DisplayableError | null
  onConfirm: () => void
  onClose: () => void
}

/** Asks for confirmation before data is lost or another user is affected. */
export function ConfirmDialog({
  title,
  children,
  action,
  isDanger = true,
  isPending,
  error,
  onConfirm,
  onClose,
}: Props) {
  return (
    <Dialog title={title} onClose={onClose}>
      <div>{children}</div>
      {error ? <FailedState error={error} title={title} /> : null}
      <DialogFoot
        action={action}
        isPending={isPending}
        isDanger={isDanger}
        onCancel={onClose}
        onAction={onConfirm}
      />
    </Dialog>
  )
}
