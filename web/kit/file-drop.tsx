import { Button, Text } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { useRef, useState, type DragEvent, type ReactNode } from 'react'
import styles from './file-drop.module.css'

interface Props {
  title: string
  /** What can be dropped: formats, sizes. */
  children?: ReactNode
  button: string
  /** As in an input element: `.csv,.gz`. */
  accept: string
  isMultiple?: boolean
  isDisabled?: boolean
  onFiles: (files: File[]) => void
}

/** A drop zone for files, with a button for choosing them. */
export function FileDrop({
  title,
  children,
  button,
  accept,
  isMultiple = false,
  isDisabled = false,
  onFiles,
}: Props) {
  const input = useRef<HTMLInputElement>(null)
  const [isDragOver, setIsDragOver] = useState(false)
  const handleDrop = (event: DragEvent) => {
    event.preventDefault()
    setIsDragOver(false)
    const files = [...event.dataTransfer.files]
    if (!isDisabled && files.length > 0) onFiles(isMultiple ? files : files.slice(0, 1))
  }
  return (
    // Drag and drop requires a mouse; the button is the keyboard alternative.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      className={styles['drop']}
      data-over={isDragOver || undefined}
      role="group"
      aria-label={title}
      onDragOver={(event) => {
        event.preventDefault()
        setIsDragOver(true)
      }}
      onDragLeave={() => setIsDragOver(false)}
      onDrop={handleDrop}
    >
      <IconUpload size={28} stroke={1.5} aria-hidden="true" className={styles['icon'] ?? ''} />
      <div className={styles['text']}>
        <Text fw={600}>{title}</Text>
        <Text size="sm" c="dimmed" component="div">
          {children}
        </Text>
      </div>
      <Button disabled={isDisabled} onClick={() => input.current?.click()}>
        {button}
      </Button>
      <input
        ref={input}
        className="visually-hidden"
        type="file"
        tabIndex={-1}
        aria-label={button}
        accept={accept}
        multiple={isMultiple}
        onChange={(event) => {
          const files = [...(event.currentTarget.files ?? [])]
          // Reset, so that the same file can be chosen again.
          event.currentTarget.value = ''
          if (files.length > 0) onFiles(files)
        }}
      />
    </div>
  )
}
