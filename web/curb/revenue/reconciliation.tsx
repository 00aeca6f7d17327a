import { Anchor, List, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AccountReconciliation, CurbAccount, RevenueTotals } from '#contract/curb-revenue.ts'
import { EmptyState } from '#web/kit/empty-state.tsx'
import { formatInteger, formatMoney } from '#web/kit/format.ts'
import { column } from '#web/kit/table/table-column.ts'
import { Table } from '#web/kit/table/table.tsx'
import { Warning } from '#web/kit/warning.tsx'
import { useMe } from '#web/shell/me.tsx'
import { pagePath } from '#web/shell/pages.ts'
import { useRegion } from '#web/shell/region.tsx'
import { AccountDialog } from './account-dialog.tsx'

const unchargedReasons = ['no_account', 'no_rule', 'no_rate', 'no_end', 'reported_twice'] as const
const amountKeys = ['session_fees', 'permits', 'accrued', 'invoiced', 'open'] as const

const formatAmount = (amount: string, currency: string): string => formatMoney(Number(amount), currency)

/** Shows whether the revenue agrees with stays and transactions. */
export function ReconciliationChecks({ totals }: { totals: RevenueTotals }) {
  const { t } = useTranslation()
  const { stays, transactions, is_reconciled: isReconciled } = totals.reconciliation
  return (
    <>
      {isReconciled ? null : (
        <Warning title={t('curb:revenue.reconciliation.differs')}>
          {t('curb:revenue.reconciliation.differsText')}
        </Warning>
      )}
      <List size="sm" my="md">
        <List.Item>
          {t('curb:revenue.reconciliation.stays', {
            all: formatInteger(stays.all),
            charged: formatInteger(stays.charged),
          })}{' '}
          {unchargedReasons
            .filter((reason) => stays.uncharged[reason] > 0)
            .map((reason) =>
              t(`curb:revenue.reconciliation.uncharged.${reason}`, {
                number: formatInteger(stays.uncharged[reason]),
              }),
            )
            .join(' ')}
        </List.Item>
        <List.Item>
          {transactions
            ? t('curb:revenue.reconciliation.transactions', {
                received: formatAmount(transactions.received, totals.currency),
                rows: formatAmount(transactions.in_rows, totals.currency),
              })
            : t('curb:revenue.notAvailable')}
        </List.Item>
        <List.Item>{t('curb:revenue.reconciliation.accounts')}</List.Item>
      </List>
    </>
  )
}

interface Props {
  totals: RevenueTotals
  accounts: readonly CurbAccount[]
}

/** Accrued, invoiced and open amounts of each payer; the payer opens the dialog of the account. */
export function AccountTable({ totals, accounts }: Props) {
  const { t } = useTranslation()
  const { can } = useMe()
  const { regionId } = useRegion()
  const [editedAccount, setEditedAccount] = useState<CurbAccount | null>(null)
  const rows = totals.reconciliation.accounts
  if (!rows.length)
    return (
      <EmptyState title={t('curb:revenue.account.none')}>{t('curb:revenue.account.noneText')}</EmptyState>
    )
  return (
    <>
      <Table<AccountReconciliation>
        label={t('curb:revenue.account.table')}
        rows={rows}
        rowKey={({ payer }) => payer}
        fileName="curb-accounts"
        columns={[
          column('payer', t('curb:revenue.payer'), (row) => row.payer_name, {
            renderCell: ({ payer, payer_name: name }) =>
              can('draft_invoices') ? (
                <Anchor
                  component="button"
                  type="button"
                  size="sm"
                  onClick={() =>
                    setEditedAccount(accounts.find(({ account_id: id }) => id === payer) ?? null)
                  }
                >
                  {name}
                </Anchor>
              ) : (
                name
              ),
          }),
          ...amountKeys.map((key) =>
            column(key, t(`curb:revenue.account.${key}`), (row: AccountReconciliation) => Number(row[key]), {
              width: 130,
              isNumber: true,
              renderCell: (row: AccountReconciliation) => formatAmount(row[key], totals.currency),
            }),
          ),
        ]}
      />
      <Text size="sm" c="dimmed" mt="xs">
        {t('curb:revenue.account.invoicing')}{' '}
        <Anchor component={Link} underline="always" to={pagePath(regionId, 'invoicing')}>
          {t('shell:pages.invoicing')}
        </Anchor>
      </Text>
      {editedAccount ? (
        <AccountDialog account={editedAccount} onClose={() => setEditedAccount(null)} />
      ) : null}
    </>
  )
}
