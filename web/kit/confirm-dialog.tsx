import type { ReactNode } from 'react'
import { Dialog } from './dialog.tsx'
import { DialogFoot } from './dialog-foot.tsx'
import { FailedState, type DisplayableError } from './failed-state.tsx'

interface Props {
  title: string
  /** What will be gone, and what stays. */
  children: ReactNode
  /** The verb on the button. */
  action: string
  /** Off where nothing is lost: the question only keeps slips of the hand from acting. */
  isDanger?: boolean
  isPending: boolean
  error: DisplayableError | null
  onConfirm: () => void
  onClose: () => void
}

/** Asks before something is lost, or done to somebody. */
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
        onAct={onConfirm}
      />
    </Dialog>
  )
}
