import { parentPort, workerData } from 'node:worker_threads'
import { utils, write } from '@e965/xlsx'

const book = utils.book_new()
utils.book_append_sheet(book, utils.aoa_to_sheet(workerData as string[][], { dense: true }), 'Recado')
const bytes = write(book, { type: 'buffer', bookType: 'xlsx', compression: true }) as Uint8Array
parentPort?.postMessage(bytes)
