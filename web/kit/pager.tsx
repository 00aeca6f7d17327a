import { Button, Group, Text } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { formatInteger } from './format.ts'

interface Props {
  page: number
  size: number
  total: number
  onPage: (page: number) => void
}

/** Shows which rows of a long list are visible, and navigates between pages; hidden if there is one page. */
export function Pager({ page, size, total, onPage }: Props) {
  const { t } = useTranslation()
  if (total <= size && page === 1) return null
  const first = (page - 1) * size + 1
  const last = Math.min(page * size, total)
  return (
    <Group component="nav" justify="flex-end" gap="sm" mt="sm" aria-label={t('kit:pager.label')}>
      <Text size="sm" c="dimmed" className="figures" role="status">
        {first > total
          ? t('kit:pager.beyond')
          : t('kit:pager.shown', {
              first: formatInteger(first),
              last: formatInteger(last),
              total: formatInteger(total),
            })}
      </Text>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconChevronLeft size={16} />}
        disabled={page <= 1}
        onClick={() => onPage(page - 1)}
      >
        {t('kit:pager.previous')}
      </Button>
      <Button
        size="xs"
        variant="default"
        rightSection={<IconChevronRight size={16} />}
        disabled={last >= total}
        onClick={() => onPage(page + 1)}
      >
        {t('kit:pager.next')}
      </Button>
    </Group>
  )
}
