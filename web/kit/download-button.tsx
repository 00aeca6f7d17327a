import { Button, Text, type ButtonProps } from '@mantine/core'
import { IconChevronDown, IconDownload } from '@tabler/icons-react'
import { createContext, type ReactNode, useContext, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActionMenu } from './action-menu.tsx'
import { downloadFile } from './download-file.ts'
import type { DisplayableError } from './failed-state.tsx'

/** One format of a download: a URL of the server, or a function that loads the content. */
export interface DownloadFormat {
  fileName: string
  /** Text of the menu item; not needed for a single format. */
  label?: string
  /** URL that the browser downloads. */
  href?: string
  /** Loads the content; reports the completed share, 0 to 1. */
  load?: (onProgress: (share: number) => void) => Promise<string | Blob | Uint8Array> | string
  mediaType?: string
}

/** Attribute by which a toolbar finds the download button of the table below it. */
export const downloadMark = 'data-download'

/** Whether rows are still those of the previous filters. Downloads are then disabled: their names have dates. */
export const StaleRows = createContext(false)

interface Props extends Pick<ButtonProps, 'size' | 'variant' | 'disabled' | 'color'> {
  label: string
  formats: readonly DownloadFormat[]
  /** Replaces the message of a failure. */
  renderError?: (error: DisplayableError, onClose: () => void) => ReactNode
}

/** Downloads a file, in one of several formats from a menu; shows progress and failure. */
export function DownloadButton({ label, formats, disabled = false, renderError, ...otherProps }: Props) {
  const { t } = useTranslation()
  const isStale = useContext(StaleRows)
  const [share, setShare] = useState<number | null>(null)
  const [error, setError] = useState<DisplayableError | null>(null)
  const download = async ({ fileName, load, mediaType = 'text/csv' }: DownloadFormat): Promise<void> => {
    setError(null)
    setShare(0)
    try {
      const content = (await load?.(setShare)) ?? ''
      downloadFile(
        fileName,
        typeof content === 'string' ? content : new Blob([content as BlobPart]),
        mediaType,
      )
    } catch (cause) {
      setError(cause as DisplayableError)
    }
    setShare(null)
  }
  const singleFormat = formats.length === 1 ? formats[0] : undefined
  const buttonProps = {
    ...otherProps,
    [downloadMark]: true,
    disabled: disabled || isStale || formats.length === 0,
    // The progress replaces the spinner.
    loading: share === 0,
    leftSection: <IconDownload size={16} aria-hidden="true" />,
    children: share ? `${label} (${Math.round(100 * share)} %)` : label,
  }
  const renderButton = () => {
    if (singleFormat?.href !== undefined)
      return (
        <Button {...buttonProps} component="a" href={singleFormat.href} download={singleFormat.fileName} />
      )
    if (singleFormat) return <Button {...buttonProps} onClick={() => void download(singleFormat)} />
    return (
      <ActionMenu
        width={200}
        target={<Button {...buttonProps} rightSection={<IconChevronDown size={16} aria-hidden="true" />} />}
        actions={formats.map((format) => ({
          key: format.fileName,
          label: format.label ?? format.fileName,
          ...(format.href === undefined
            ? { onSelect: () => void download(format) }
            : { href: format.href, download: format.fileName }),
        }))}
      />
    )
  }
  const showError = (failure: DisplayableError) =>
    renderError?.(failure, () => setError(null)) ?? (
      <Text size="sm" c="var(--red)" role="alert">
        {failure.message} {failure.id ? t('kit:quote', { id: failure.id }) : ''}
      </Text>
    )
  return (
    <>
      {error ? showError(error) : null}
      {renderButton()}
    </>
  )
}
