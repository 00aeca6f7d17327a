import { useBlocker } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '#web/kit/confirm-dialog.tsx'

interface Props {
  isChanged: boolean
  /** Whether another address shows the same editor; another path never does. */
  isSame: (current: Record<string, unknown>, next: Record<string, unknown>) => boolean
  onDiscard: () => void
}

/** Confirms before unsaved changes are lost; the browser itself does so before the page is closed or reloaded. */
export function LeaveEditing({ isChanged, isSame, onDiscard }: Props) {
  const { t } = useTranslation()
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      isChanged &&
      (current.pathname !== next.pathname ||
        !isSame(current.search as Record<string, unknown>, next.search as Record<string, unknown>)),
    enableBeforeUnload: () => isChanged,
    withResolver: true,
  })
  if (blocker.status !== 'blocked') return null
  const leave = () => {
    onDiscard()
    blocker.proceed()
  }
  return (
    <ConfirmDialog
      title={t('map:editing.leave.title')}
      action={t('map:editing.leave.action')}
      isPending={false}
      error={null}
      onConfirm={leave}
      onClose={blocker.reset}
    >
      {t('map:editing.leave.text')}
    </ConfirmDialog>
  )
}
