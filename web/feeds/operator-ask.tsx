import { useTranslation } from 'react-i18next'
import { deleteOperator, listManagedOperators, type ManagedOperator } from '#contract/managed-operators.ts'
import { listOperators } from '#contract/operators.ts'
import { useAct } from '#web/data/act.ts'
import { ConfirmDialog } from '#web/kit/confirm-dialog.tsx'

/** Asks before an operator is removed. */
export function OperatorAsk({ operator, onClose }: { operator: ManagedOperator; onClose: () => void }) {
  const { t } = useTranslation()
  const remove = useAct(deleteOperator, [listManagedOperators, listOperators])
  return (
    <ConfirmDialog
      title={t('feeds:operator.removeOf', { name: operator.name })}
      action={t('feeds:act.remove')}
      isPending={remove.isPending}
      error={remove.error}
      onClose={onClose}
      onConfirm={() => remove.mutate({ params: { slug: operator.slug } }, { onSuccess: onClose })}
    >
      {t('feeds:operator.removeText')}
    </ConfirmDialog>
  )
}
