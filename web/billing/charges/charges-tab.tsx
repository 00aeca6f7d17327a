import { Button, Stack } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Charge, deleteCharge, listCharges } from '#contract/charges.ts'
import { getFees } from '#contract/fees.ts'
import type { LocalDay } from '#contract/period.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { useEndpointMutation } from '#web/data/use-endpoint-mutation.ts'
import { ConfirmDialog } from '#web/kit/confirm-dialog.tsx'
import { EmptyState } from '#web/kit/empty-state.tsx'
import { Loaded } from '#web/kit/loaded.tsx'
import { Table } from '#web/kit/table/table.tsx'
import { showToast } from '#web/kit/toasts.tsx'
import { useMe } from '#web/shell/me.tsx'
import { useRegion } from '#web/shell/region.tsx'
import { usePayers } from '../use-payers.ts'
import { ChargeSection } from './charge-section.tsx'
import { getChargeColumns } from './charge-columns.tsx'
import { ChargeDialog } from './charge-dialog.tsx'
import { ReportedQuantities } from './reported-quantities.tsx'

type OpenDialog = { kind: 'edit'; charge: Charge | null } | { kind: 'delete'; charge: Charge }

/** Charges without a policy, and quantities that operators report for them. For users of the city. */
export function ChargesTab({ today }: { today: LocalDay }) {
  const { user } = useMe()
  return (
    <Stack gap="xl">
      {user.operators === null ? <Charges today={today} /> : null}
      <ReportedQuantities today={today} />
    </Stack>
  )
}

/** The charges of a region, with filters and actions. */
function Charges({ today }: { today: LocalDay }) {
  const { t, i18n } = useTranslation()
  const { regionId } = useRegion()
  const { can } = useMe()
  const { getOperatorName } = usePayers()
  const [dialog, setDialog] = useState<OpenDialog | null>(null)
  const charges = useEndpointQuery(listCharges, { params: { region_id: regionId } }, { staleTime: 0 })
  const remove = useEndpointMutation(deleteCharge, [listCharges, getFees])
  const canEdit = can('draft_invoices')
  const close = (): void => setDialog(null)
  return (
    <ChargeSection
      title={t('billing:charges.title')}
      text={t('billing:charges.text')}
      action={
        canEdit ? (
          <Button
            leftSection={<IconPlus size={18} />}
            onClick={() => setDialog({ kind: 'edit', charge: null })}
          >
            {t('billing:charges.add')}
          </Button>
        ) : null
      }
    >
      <Loaded
        query={charges}
        isEmpty={({ items }) => items.length === 0}
        empty={<EmptyState title={t('billing:charges.none')}>{t('billing:charges.noneText')}</EmptyState>}
      >
        {({ items }) => (
          <Table
            label={t('billing:charges.title')}
            rows={items}
            rowKey={(row) => row.charge_id}
            isWrapped
            fileName={`charges-${regionId}`}
            columns={getChargeColumns({
              t,
              language: i18n.language,
              getOperatorName,
              ...(canEdit
                ? {
                    onEdit: (charge: Charge) => setDialog({ kind: 'edit', charge }),
                    onDelete: (charge: Charge) => setDialog({ kind: 'delete', charge }),
                  }
                : {}),
            })}
          />
        )}
      </Loaded>
      {dialog?.kind === 'edit' ? <ChargeDialog charge={dialog.charge} today={today} onClose={close} /> : null}
      {dialog?.kind === 'delete' ? (
        <ConfirmDialog
          title={t('billing:charges.deleteTitle', { name: dialog.charge.name })}
          action={t('billing:charges.delete')}
          isPending={remove.isPending}
          error={remove.error}
          onConfirm={() =>
            remove.mutate(
              { params: { region_id: regionId, charge_id: dialog.charge.charge_id } },
              {
                onSuccess: () => {
                  showToast(t('billing:charges.deleted', { name: dialog.charge.name }))
                  close()
                },
              },
            )
          }
          onClose={close}
        >
          {t('billing:charges.deleteText')}
        </ConfirmDialog>
      ) : null}
    </ChargeSection>
  )
}
