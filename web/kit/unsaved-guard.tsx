import { useBlocker } from '@tanstack/react-router'
import { ConfirmDialog } from './confirm-dialog.tsx'

interface Props {
  /** Whether there are unsaved changes; evaluated when the page is left. */
  isChanged: () => boolean
  title: string
  action: string
  /** What will be lost. */
  text: string
  /** Whether other search parameters of the same path show the same form; true by default. */
  isSame?: (current: Record<string, unknown>, next: Record<string, unknown>) => boolean
  /** Called before the changes are discarded. */
  onDiscard?: () => void
}

const isAlwaysSame = (): boolean => true

/** Asks before unsaved changes are lost, also by Back. If the tab is closed or reloaded, the browser asks. */
export function UnsavedGuard({ isChanged, title, action, text, isSame = isAlwaysSame, onDiscard }: Props) {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      isChanged() &&
      (current.pathname !== next.pathname ||
        !isSame(current.search as Record<string, unknown>, next.search as Record<string, unknown>)),
    enableBeforeUnload: isChanged,
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
