import { ActionIcon, Group } from '@mantine/core'
import { IconPencil, IconPlayerPause, IconPlayerPlay, IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { SignInProvider } from '#contract/sign-in-providers.ts'
import { Table } from '#web/kit/table/table.tsx'
import type { TableColumn } from '#web/kit/table/table-column.ts'
import { StateMark } from './state-mark.tsx'

export type ProviderAct = 'change' | 'disable' | 'enable' | 'remove'

interface Props {
  providers: readonly SignInProvider[]
  onAct: (act: ProviderAct, provider: SignInProvider) => void
}

const icons = {
  change: IconPencil,
  disable: IconPlayerPause,
  enable: IconPlayerPlay,
  remove: IconTrash,
} as const

export function ProviderTable({ providers, onAct }: Props) {
  const { t } = useTranslation()
  const button = (act: ProviderAct, provider: SignInProvider) => {
    const Icon = icons[act]
    const label = t(`users:provider.${act}`, { name: provider.name })
    return (
      <ActionIcon
        variant="subtle"
        color={act === 'remove' ? 'red' : 'teal'}
        aria-label={label}
        title={label}
        onClick={() => onAct(act, provider)}
      >
        <Icon size={18} />
      </ActionIcon>
    )
  }
  const columns: TableColumn<SignInProvider>[] = [
    { key: 'name', title: t('users:field.name'), width: 180, value: (provider) => provider.name },
    {
      key: 'state',
      title: t('users:field.state'),
      width: 100,
      value: (provider) => t(`users:state.${provider.enabled ? 'active' : 'disabled'}`),
      renderCell: (provider) => <StateMark state={provider.enabled ? 'active' : 'disabled'} />,
    },
    { key: 'issuer', title: t('users:provider.issuer'), width: 280, value: (provider) => provider.issuer },
    {
      key: 'domains',
      title: t('users:provider.domains'),
      width: 200,
      value: (provider) => provider.emailDomains.join(', '),
    },
    {
      key: 'creates',
      title: t('users:provider.createsShort'),
      width: 150,
      value: (provider) => t(provider.createsUsers ? 'users:provider.yes' : 'users:provider.no'),
    },
    {
      key: 'actions',
      title: t('users:actions'),
      isActions: true,
      width: 128,
      value: () => null,
      renderCell: (provider) => (
        <Group gap="xs" justify="flex-end" wrap="nowrap">
          {button('change', provider)}
          {button(provider.enabled ? 'disable' : 'enable', provider)}
          {button('remove', provider)}
        </Group>
      ),
    },
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
