import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { listImports, uploadTrips } from '#contract/imports.ts'
import type { ApiError } from '#web/data/api-error.ts'
import { call } from '#web/data/client.ts'
import { endpointQueryKey } from '#web/data/query.ts'

/** A file that is sent, waits, or could not be sent. */
export interface Upload {
  id: number
  file: File
  /** Uploaded share, 0 to 1; null while the upload is waiting. */
  share: number | null
  error: ApiError | null
}

export interface Uploads {
  list: readonly Upload[]
  add: (files: readonly File[]) => void
  retry: (id: number) => void
  remove: (id: number) => void
}

/** Uploads files one after the other; failed ones remain in the list and can be sent again. */
export function useUploads(regionId: string): Uploads {
  const client = useQueryClient()
  const [list, setList] = useState<readonly Upload[]>([])
  const lastId = useRef(0)
  /** Ends with the last upload of the queue. */
  const lastUpload = useRef<Promise<void>>(Promise.resolve())
  const controllers = useRef(new Map<number, AbortController>())
  const updateUpload = (id: number, changes: Partial<Upload>) =>
    setList((uploads) => uploads.map((upload) => (upload.id === id ? { ...upload, ...changes } : upload)))
  const removeUpload = (id: number) => setList((uploads) => uploads.filter((upload) => upload.id !== id))
  const uploadFile = async (id: number, file: File, abortController: AbortController): Promise<void> => {
    if (abortController.signal.aborted) return
    updateUpload(id, { share: 0, error: null })
    try {
      await call(
        uploadTrips,
        { params: { region_id: regionId }, query: { file_name: file.name }, body: file },
        { signal: abortController.signal, onProgress: (share) => updateUpload(id, { share }) },
      )
      await client.invalidateQueries({ queryKey: endpointQueryKey(listImports) })
      removeUpload(id)
    } catch (error) {
      updateUpload(id, { share: null, error: error as ApiError })
    }
  }
  const queue = (id: number, file: File) => {
    const abortController = new AbortController()
    controllers.current.set(id, abortController)
    lastUpload.current = lastUpload.current.then(() => uploadFile(id, file, abortController))
  }
  return {
    list,
    add: (files) => {
      const newUploads = files.map((file) => ({ id: (lastId.current += 1), file, share: null, error: null }))
      setList((uploads) => [...uploads, ...newUploads])
      for (const { id, file } of newUploads) queue(id, file)
    },
    retry: (id) => {
      const upload = list.find((candidate) => candidate.id === id)
      updateUpload(id, { error: null })
      if (upload) queue(id, upload.file)
    },
    remove: (id) => {
      controllers.current.get(id)?.abort()
      removeUpload(id)
    },
  }
}
