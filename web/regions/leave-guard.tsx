import { useBlocker } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '#web/kit/confirm-dialog.tsx'

/** Asks before a page is left whose changes are not saved; the browser itself asks before it is closed or loaded anew. */
export function LeaveGuard({ isChanged }: { isChanged: boolean }) {
  const { t } = useTranslation()
  const blocker = useBlocker({ shouldBlockFn: ({ current, next }) => isChanged && current.pathname !== next.pathname, enableBeforeUnload: () => isChanged, withResolver: true })
  if (blocker.status !== 'blocked') return null
  return (
    <ConfirmDialog title={t('regions:leave.title')} action={t('regions:leave.action')} isPending={false} error={null} onConfirm={blocker.proceed} onClose={blocker.reset}>
      {t('regions:leave.text')}
    </ConfirmDialog>
  )
}
