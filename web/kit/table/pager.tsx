import { Box, Button, Group, Select, Text } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { formatInteger } from '../format.ts'
import { type PageSize, pageSizes } from './table-state.ts'

interface Props {
  page: number
  size: number
  total: number
  onPage: (page: number) => void
  /** Called with the chosen page size; without it, the size is fixed. */
  onSize?: (size: PageSize) => void
}

/** Shows which rows of a list are visible, and navigates between pages. Hidden if there is only one page. */
export function Pager({ page, size, total, onPage, onSize }: Props) {
  const { t } = useTranslation()
  const minSize = onSize ? Math.min(size, pageSizes[0]) : size
  if (total <= minSize && page === 1) return null
  const first = (page - 1) * size + 1
  const last = Math.min(page * size, total)
  const sizes = [...new Set([...pageSizes, size])].toSorted((a, b) => a - b)
  return (
    <Group component="nav" justify="flex-end" gap="sm" mt="sm" aria-label={t('kit:pager.label')}>
      {onSize ? (
        <Group gap="xs" mr="auto" wrap="nowrap">
          <Text size="sm" c="dimmed" aria-hidden="true" visibleFrom="sm">
            {t('kit:pager.size')}
          </Text>
          <Select
            size="xs"
            w={76}
            aria-label={t('kit:pager.size')}
            allowDeselect={false}
            data={sizes.map(String)}
            value={String(size)}
            onChange={(value) => {
              const selected = pageSizes.find((pageSize) => String(pageSize) === value)
              if (selected) onSize(selected)
            }}
          />
        </Group>
      ) : null}
      <Text size="sm" c="dimmed" className="figures" role="status">
        {first > total
          ? t('kit:pager.beyond')
          : t('kit:pager.shown', {
              first: formatInteger(first),
              last: formatInteger(last),
              total: formatInteger(total),
            })}
      </Text>
      {total > size || page > 1 ? (
        <>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconChevronLeft size={16} />}
            aria-label={t('kit:pager.previous')}
            disabled={page <= 1}
            onClick={() => onPage(page - 1)}
          >
            {/* Phones show only the icon. */}
            <Box component="span" visibleFrom="sm">
              {t('kit:pager.previous')}
            </Box>
          </Button>
          <Button
            size="xs"
            variant="default"
            rightSection={<IconChevronRight size={16} />}
            aria-label={t('kit:pager.next')}
            disabled={last >= total}
            onClick={() => onPage(page + 1)}
          >
            <Box component="span" visibleFrom="sm">
              {t('kit:pager.next')}
            </Box>
          </Button>
        </>
      ) : null}
    </Group>
  )
}
