import { ActionIcon, Group } from '@mantine/core'
import { IconPencil, IconPlayerPause, IconPlayerPlay, IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { SignInProvider } from '#contract/sign-in-providers.ts'
import { Table } from '#web/kit/table/table.tsx'
import { column, type TableColumn } from '#web/kit/table/table-column.ts'
import { StateMark } from './state-mark.tsx'

export type ProviderAction = 'change' | 'disable' | 'enable' | 'remove'

interface Props {
  providers: readonly SignInProvider[]
  onAction: (action: ProviderAction, provider: SignInProvider) => void
}

const icons = {
  change: IconPencil,
  disable: IconPlayerPause,
  enable: IconPlayerPlay,
  remove: IconTrash,
} as const

/** Providers of single sign-on with their actions. */
export function ProviderTable({ providers, onAction }: Props) {
  const { t } = useTranslation()
  const renderActionButton = (action: ProviderAction, provider: SignInProvider) => {
    const Icon = icons[action]
    const label = t(`users:provider.${action}`, { name: provider.name })
    return (
      <ActionIcon
        variant="subtle"
        color={action === 'remove' ? 'red' : 'teal'}
        aria-label={label}
        title={label}
        onClick={() => onAction(action, provider)}
      >
        <Icon size={18} />
      </ActionIcon>
    )
  }
  const columns: TableColumn<SignInProvider>[] = [
    column('name', t('users:field.name'), (provider) => provider.name, { width: 180 }),
    column(
      'state',
      t('users:field.state'),
      (provider) => t(`users:state.${provider.enabled ? 'active' : 'disabled'}`),
      {
        width: 100,
        renderCell: (provider) => <StateMark state={provider.enabled ? 'active' : 'disabled'} />,
      },
    ),
    column('issuer', t('users:provider.issuer'), (provider) => provider.issuer, { width: 280 }),
    column('domains', t('users:provider.domains'), (provider) => provider.emailDomains.join(', '), {
      width: 200,
    }),
    column(
      'creates',
      t('users:provider.createsShort'),
      (provider) => t(provider.createsUsers ? 'users:provider.yes' : 'users:provider.no'),
      { width: 150 },
    ),
    column('actions', t('users:actions'), () => null, {
      isActions: true,
      width: 128,
      renderCell: (provider) => (
        <Group gap="xs" justify="flex-end" wrap="nowrap">
          {renderActionButton('change', provider)}
          {renderActionButton(provider.enabled ? 'disable' : 'enable', provider)}
          {renderActionButton('remove', provider)}
        </Group>
      ),
    }),
  ]
  return (
    <Table
      label={t('shell:pages.signInProviders')}
      rows={providers}
      columns={columns}
      rowKey={(provider) => provider.id}
    />
  )
}
