import { useBlocker } from '@tanstack/react-router'
import { ConfirmDialog } from './confirm-dialog.tsx'

interface Props {
  /** Evaluated when the page is left. */
  isChanged: () => boolean
  title: string
  action: string
  /** What will be lost. */
  text: string
  /** URL parameter, such as that of tabs; changing it also leaves the form. */
  param?: string
}

const valueAt = (search: object, key: string): unknown => (search as Record<string, unknown>)[key]

/** Asks before unsaved changes are left, also by Back; before the tab is closed or reloaded the browser asks. */
export function UnsavedGuard({ isChanged, title, action, text, param }: Props) {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      isChanged() &&
      (current.pathname !== next.pathname ||
        (param !== undefined && valueAt(current.search, param) !== valueAt(next.search, param))),
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
      onConfirm={blocker.proceed}
      onClose={blocker.reset}
    >
      {text}
    </ConfirmDialog>
  )
}
