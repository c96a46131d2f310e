//! What can be asked of the API? Prints the OpenAPI document, for generators of clients and for docs/reference/api.md.

use std::io::Write as _;

fn main() -> std::io::Result<()> {
    let document = reverie_api::Api::openapi();
    writeln!(std::io::stdout(), "{document}")
}
