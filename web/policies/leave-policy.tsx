import { useBlocker } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '#web/kit/confirm-dialog.tsx'

/** Asks before changes to a policy are left, also by the browser's Back; before the page is closed or loaded anew the browser itself asks. `isChanged` is asked at that moment. */
export function LeavePolicy({ isChanged }: { isChanged: () => boolean }) {
  const { t } = useTranslation()
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => isChanged() && current.pathname !== next.pathname,
    enableBeforeUnload: isChanged,
    withResolver: true,
  })
  if (blocker.status !== 'blocked') return null
  return (
    <ConfirmDialog
      title={t('policies:ask.leave.title')}
      action={t('policies:ask.leave.action')}
      isPending={false}
      error={null}
      onConfirm={blocker.proceed}
      onClose={blocker.reset}
    >
      {t('policies:ask.leave.text')}
    </ConfirmDialog>
  )
}
