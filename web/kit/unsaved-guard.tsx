import { useBlocker } from '@tanstack/react-router'
import { ConfirmDialog } from './confirm-dialog.tsx'

interface Props {
  /** Evaluated when the page is left. */
  hasUnsavedChanges: () => boolean
  title: string
  action: string
  /** What will be lost. */
  text: string
  /** Whether two sets of search parameters of this page show the same form. Default: always. */
  showsSameForm?: (current: Record<string, unknown>, next: Record<string, unknown>) => boolean
  /** Called before the changes are discarded. */
  onDiscard?: () => void
}

const always = (): boolean => true

/** Asks before navigation discards unsaved changes. When the tab is closed or reloaded, the browser asks. */
export function UnsavedGuard({
  hasUnsavedChanges,
  title,
  action,
  text,
  showsSameForm = always,
  onDiscard,
}: Props) {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      hasUnsavedChanges() &&
      (current.pathname !== next.pathname ||
        !showsSameForm(current.search as Record<string, unknown>, next.search as Record<string, unknown>)),
    enableBeforeUnload: hasUnsavedChanges,
    withResolver: true,
  })
  if (blocker.status !== 'blocked') return null
  return (
    <ConfirmDialog
      title={title}
      action={action}
      isPending={false}
      error={null}
      onConfirm={() => {
        onDiscard?.()
        blocker.proceed()
      }}
      onClose={blocker.reset}
    >
      {text}
    </ConfirmDialog>
  )
}
