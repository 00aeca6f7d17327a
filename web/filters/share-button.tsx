import { Button, type ButtonProps, Popover, Stack, Switch } from '@mantine/core'
import { IconShare } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyField } from '#web/kit/copy-field.tsx'
import { useOptionalMe } from '#web/shell/me.tsx'
import { type Period, formatPeriod } from './period.ts'
import { SavedViews } from './saved-views.tsx'
import { hasRelativeDates, shareLink } from './share-link.ts'

interface Props extends Pick<ButtonProps, 'size' | 'variant' | 'color'> {
  /** The dates of the page; null if it has none. */
  period: Period | null
}

/** Shares a link to the page, with fixed or relative dates, and manages saved views of the page. */
export function ShareButton({ period, ...buttonProps }: Props) {
  const { t, i18n } = useTranslation()
  const [isOpen, setIsOpen] = useState(false)
  const [isRelative, setIsRelative] = useState(false)
  const { href } = location
  const me = useOptionalMe()
  return (
    <Popover
      opened={isOpen}
      onChange={setIsOpen}
      width={360}
      position="top-end"
      shadow="md"
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <Button
          {...buttonProps}
          leftSection={<IconShare size={16} aria-hidden="true" />}
          onClick={() => setIsOpen(!isOpen)}
        >
          {t('filters:share.label')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('filters:share.title')}>
        <Stack gap="sm">
          <CopyField
            label={t('filters:share.link')}
            value={isOpen ? shareLink(href, period, isRelative) : ''}
          />
          {period && isOpen && hasRelativeDates(href) ? (
            <Switch
              label={t('filters:share.relative')}
              description={t(isRelative ? 'filters:share.moving' : 'filters:share.fixed', {
                period: formatPeriod(period, i18n.language),
              })}
              checked={isRelative}
              onChange={(event) => setIsRelative(event.currentTarget.checked)}
            />
          ) : null}
          {isOpen && me ? <SavedViews href={href} onOpen={() => setIsOpen(false)} /> : null}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}
