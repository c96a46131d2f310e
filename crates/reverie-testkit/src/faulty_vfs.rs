//! How does SQLite come to use a [`Disk`]? A VFS around the system's own, which keeps the locks and the shared memory.

#![expect(unsafe_code, reason = "a VFS is a table of C functions")]

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::ptr;
use std::sync::{Arc, Mutex};

use rusqlite::ffi;

use crate::faulty_disk::{Change, Disk, Image, Verdict, lock};

/// What stands behind the VFS for as long as the process lives.
struct Behind {
    disk: Arc<Disk>,
    real: *mut ffi::sqlite3_vfs,
}

/// An open file. The system's own file follows it in memory.
#[repr(C)]
struct File {
    base: ffi::sqlite3_file,
    behind: *const Behind,
    /// Empty for temporary files, which need not survive anything.
    image: Option<Arc<Mutex<Image>>>,
}

/// Registers a new disk under a name, for `Options::vfs`. It stays registered until the process ends.
pub fn register(name: &str) -> Arc<Disk> {
    let disk = Arc::new(Disk::default());
    let name = CString::new(name).expect("a name without NUL");
    // SAFETY: SQLite is told of a VFS that is never freed; the default VFS is never unregistered.
    unsafe {
        let real = ffi::sqlite3_vfs_find(ptr::null());
        assert!(!real.is_null(), "SQLite has no VFS of its own");
        let behind = Box::leak(Box::new(Behind { disk: Arc::clone(&disk), real }));
        let mut vfs = *real;
        vfs.iVersion = 1;
        vfs.szOsFile = size_of::<File>() as c_int + (*real).szOsFile;
        vfs.pNext = ptr::null_mut();
        vfs.zName = name.into_raw();
        vfs.pAppData = ptr::from_mut(behind).cast();
        vfs.xOpen = Some(open);
        vfs.xDelete = Some(delete);
        vfs.xAccess = Some(access);
        let code = ffi::sqlite3_vfs_register(Box::leak(Box::new(vfs)), 0);
        assert_eq!(code, ffi::SQLITE_OK, "the VFS was not registered");
    }
    disk
}

static METHODS: ffi::sqlite3_io_methods = ffi::sqlite3_io_methods {
    iVersion: 2,
    xClose: Some(close),
    xRead: Some(read),
    xWrite: Some(write),
    xTruncate: Some(truncate),
    xSync: Some(sync),
    xFileSize: Some(file_size),
    xLock: Some(lock_file),
    xUnlock: Some(unlock_file),
    xCheckReservedLock: Some(check_reserved_lock),
    xFileControl: Some(file_control),
    xSectorSize: Some(sector_size),
    xDeviceCharacteristics: Some(device_characteristics),
    xShmMap: Some(shm_map),
    xShmLock: Some(shm_lock),
    xShmBarrier: Some(shm_barrier),
    xShmUnmap: Some(shm_unmap),
    xFetch: None,
    xUnfetch: None,
};

unsafe fn behind<'a>(vfs: *mut ffi::sqlite3_vfs) -> &'a Behind {
    unsafe { &*(*vfs).pAppData.cast::<Behind>() }
}

unsafe fn path_of(name: *const c_char) -> Option<String> {
    if name.is_null() {
        return None;
    }
    Some(unsafe { CStr::from_ptr(name) }.to_string_lossy().into_owned())
}

/// The system's own file, right behind ours.
unsafe fn real(file: *mut ffi::sqlite3_file) -> *mut ffi::sqlite3_file {
    unsafe { file.cast::<File>().add(1).cast() }
}

/// Calls the system's method of the same name.
macro_rules! real_method {
    ($file:ident, $method:ident $(, $argument:expr)*) => {{
        let real = real($file);
        match (*(*real).pMethods).$method {
            Some(method) => method(real $(, $argument)*),
            None => ffi::SQLITE_IOERR,
        }
    }};
}

unsafe extern "C" fn open(
    vfs: *mut ffi::sqlite3_vfs,
    name: *const c_char,
    file: *mut ffi::sqlite3_file,
    flags: c_int,
    out_flags: *mut c_int,
) -> c_int {
    unsafe {
        let behind = behind(vfs);
        (*file).pMethods = ptr::null();
        let mut flags = flags;
        if flags & ffi::SQLITE_OPEN_MAIN_DB != 0 && behind.disk.is_read_only() {
            flags &= !(ffi::SQLITE_OPEN_READWRITE | ffi::SQLITE_OPEN_CREATE);
            flags |= ffi::SQLITE_OPEN_READONLY;
        }
        let Some(open_real) = (*behind.real).xOpen else { return ffi::SQLITE_CANTOPEN };
        let code = open_real(behind.real, name, real(file), flags, out_flags);
        if code != ffi::SQLITE_OK {
            return code;
        }
        let is_temporary = flags & ffi::SQLITE_OPEN_DELETEONCLOSE != 0;
        let image = match path_of(name).filter(|_| !is_temporary) {
            None => None,
            Some(path) => match behind.disk.image(&path) {
                Ok(image) => Some(image),
                Err(_) => return ffi::SQLITE_CANTOPEN,
            },
        };
        let base = ffi::sqlite3_file { pMethods: &raw const METHODS };
        file.cast::<File>().write(File { base, behind, image });
        ffi::SQLITE_OK
    }
}

unsafe extern "C" fn delete(vfs: *mut ffi::sqlite3_vfs, name: *const c_char, sync_folder: c_int) -> c_int {
    unsafe {
        let behind = behind(vfs);
        if let Some(path) = path_of(name) {
            behind.disk.forget(&path);
        }
        (*behind.real).xDelete.map_or(ffi::SQLITE_IOERR, |delete| delete(behind.real, name, sync_folder))
    }
}

unsafe extern "C" fn access(
    vfs: *mut ffi::sqlite3_vfs,
    name: *const c_char,
    flags: c_int,
    result: *mut c_int,
) -> c_int {
    unsafe {
        let behind = behind(vfs);
        let image = path_of(name).and_then(|path| behind.disk.known(&path));
        if let Some(image) = image.filter(|_| flags == ffi::SQLITE_ACCESS_EXISTS) {
            *result = c_int::from(!lock(&image).bytes.is_empty());
            return ffi::SQLITE_OK;
        }
        (*behind.real).xAccess.map_or(ffi::SQLITE_IOERR, |access| access(behind.real, name, flags, result))
    }
}

unsafe extern "C" fn close(file: *mut ffi::sqlite3_file) -> c_int {
    unsafe {
        let code = real_method!(file, xClose);
        (*file.cast::<File>()).image = None;
        code
    }
}

unsafe extern "C" fn read(
    file: *mut ffi::sqlite3_file,
    into: *mut c_void,
    amount: c_int,
    offset: ffi::sqlite3_int64,
) -> c_int {
    unsafe {
        let Some(image) = &(*file.cast::<File>()).image else {
            return real_method!(file, xRead, into, amount, offset);
        };
        let into = std::slice::from_raw_parts_mut(into.cast::<u8>(), amount as usize);
        let image = lock(image);
        let rest = image.bytes.get(offset as usize..).unwrap_or_default();
        let there = rest.len().min(into.len());
        into.fill(0);
        into.iter_mut().zip(rest).for_each(|(into, from)| *into = *from);
        if there < into.len() { ffi::SQLITE_IOERR_SHORT_READ } else { ffi::SQLITE_OK }
    }
}

unsafe extern "C" fn write(
    file: *mut ffi::sqlite3_file,
    from: *const c_void,
    amount: c_int,
    offset: ffi::sqlite3_int64,
) -> c_int {
    unsafe {
        let this = &*file.cast::<File>();
        let Some(image) = &this.image else {
            return real_method!(file, xWrite, from, amount, offset);
        };
        let mut image = lock(image);
        let end = offset as u64 + amount as u64;
        match (*this.behind).disk.write_verdict(end.saturating_sub(image.bytes.len() as u64)) {
            Verdict::Full => return ffi::SQLITE_FULL,
            Verdict::Broken => return ffi::SQLITE_IOERR_WRITE,
            Verdict::Good => {}
        }
        image.write(offset as usize, std::slice::from_raw_parts(from.cast::<u8>(), amount as usize));
        ffi::SQLITE_OK
    }
}

unsafe extern "C" fn truncate(file: *mut ffi::sqlite3_file, size: ffi::sqlite3_int64) -> c_int {
    unsafe {
        match &(*file.cast::<File>()).image {
            Some(image) => {
                lock(image).truncate(size as usize);
                ffi::SQLITE_OK
            }
            None => real_method!(file, xTruncate, size),
        }
    }
}

unsafe extern "C" fn sync(file: *mut ffi::sqlite3_file, flags: c_int) -> c_int {
    unsafe {
        let this = &*file.cast::<File>();
        if let Some(image) = &this.image {
            if (*this.behind).disk.sync_verdict() != Verdict::Good {
                return ffi::SQLITE_IOERR_FSYNC;
            }
            let mut image = lock(image);
            for change in image.unsynced.drain(..) {
                let code = match &change {
                    Change::Write { at, bytes } => {
                        let (from, amount) = (bytes.as_ptr().cast(), bytes.len() as c_int);
                        real_method!(file, xWrite, from, amount, *at as ffi::sqlite3_int64)
                    }
                    Change::Truncate { to } => real_method!(file, xTruncate, *to as ffi::sqlite3_int64),
                };
                if code != ffi::SQLITE_OK {
                    return code;
                }
            }
        }
        real_method!(file, xSync, flags)
    }
}

unsafe extern "C" fn file_size(file: *mut ffi::sqlite3_file, size: *mut ffi::sqlite3_int64) -> c_int {
    unsafe {
        match &(*file.cast::<File>()).image {
            Some(image) => {
                *size = lock(image).bytes.len() as ffi::sqlite3_int64;
                ffi::SQLITE_OK
            }
            None => real_method!(file, xFileSize, size),
        }
    }
}

unsafe extern "C" fn lock_file(file: *mut ffi::sqlite3_file, level: c_int) -> c_int {
    unsafe { real_method!(file, xLock, level) }
}

unsafe extern "C" fn unlock_file(file: *mut ffi::sqlite3_file, level: c_int) -> c_int {
    unsafe { real_method!(file, xUnlock, level) }
}

unsafe extern "C" fn check_reserved_lock(file: *mut ffi::sqlite3_file, result: *mut c_int) -> c_int {
    unsafe { real_method!(file, xCheckReservedLock, result) }
}

unsafe extern "C" fn file_control(
    file: *mut ffi::sqlite3_file,
    operation: c_int,
    argument: *mut c_void,
) -> c_int {
    // The real file must not grow before it is synced.
    if operation == ffi::SQLITE_FCNTL_SIZE_HINT {
        return ffi::SQLITE_OK;
    }
    unsafe { real_method!(file, xFileControl, operation, argument) }
}

unsafe extern "C" fn sector_size(file: *mut ffi::sqlite3_file) -> c_int {
    unsafe { real_method!(file, xSectorSize) }
}

unsafe extern "C" fn device_characteristics(file: *mut ffi::sqlite3_file) -> c_int {
    unsafe { real_method!(file, xDeviceCharacteristics) }
}

unsafe extern "C" fn shm_map(
    file: *mut ffi::sqlite3_file,
    page: c_int,
    size: c_int,
    extend: c_int,
    out: *mut *mut c_void,
) -> c_int {
    unsafe { real_method!(file, xShmMap, page, size, extend, out) }
}

unsafe extern "C" fn shm_lock(
    file: *mut ffi::sqlite3_file,
    offset: c_int,
    count: c_int,
    flags: c_int,
) -> c_int {
    unsafe { real_method!(file, xShmLock, offset, count, flags) }
}

unsafe extern "C" fn shm_barrier(file: *mut ffi::sqlite3_file) {
    unsafe {
        let real = real(file);
        if let Some(barrier) = (*(*real).pMethods).xShmBarrier {
            barrier(real);
        }
    }
}

unsafe extern "C" fn shm_unmap(file: *mut ffi::sqlite3_file, delete: c_int) -> c_int {
    unsafe { real_method!(file, xShmUnmap, delete) }
}
