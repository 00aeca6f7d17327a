import { useBlocker } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '#web/kit/confirm-dialog.tsx'

interface Props {
  isChanged: boolean
  /** What would be lost; that of the organization unless said otherwise. */
  text?: string
}

/** Asks before a page is left whose changes are not saved; the browser itself asks before it is closed or loaded anew. */
export function LeaveGuard({ isChanged, text }: Props) {
  const { t } = useTranslation()
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => isChanged && current.pathname !== next.pathname,
    enableBeforeUnload: () => isChanged,
    withResolver: true,
  })
  if (blocker.status !== 'blocked') return null
  return (
    <ConfirmDialog
      title={t('regions:leave.title')}
      action={t('regions:leave.action')}
      isPending={false}
      error={null}
      onConfirm={blocker.proceed}
      onClose={blocker.reset}
    >
      {text ?? t('regions:leave.text')}
    </ConfirmDialog>
  )
}
