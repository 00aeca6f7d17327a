import { Anchor } from '@mantine/core'
import { IconMapOff } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '#web/kit/empty-state.tsx'
import { ContactButton } from './contact-button.tsx'
import { useMe } from './me.tsx'

export function NoAccess() {
  const { t } = useTranslation()
  const { can } = useMe()
  return (
    <EmptyState
      title={t('shell:noAccess.title')}
      icon={<IconMapOff />}
      order={1}
      action={<ContactButton about="noAccess" variant="filled" />}
    >
      {can('is_admin') ? (
        <Anchor component={Link} to="/admin/regions">
          {t('shell:noAccess.admin')}
        </Anchor>
      ) : (
        t('shell:noAccess.other')
      )}
    </EmptyState>
  )
}
